module type number = { type t val zero: t val add: t -> t -> t }

module m: number = { type t = i32 def zero: t = 0 def add (x: t) (y: t): t = x + y }
