module type pair = { type t val get: t -> i32 val size: i64 }
module m: pair = { type t = i32 def get (x: t) = x def size: i64 = 2 }
