module type pair = { type t val get: t -> i32 val size: i64 }
module m: pair = { def size: i32 = 2 }
