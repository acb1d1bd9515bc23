module type number = { type t val zero: t val add: t -> t -> t }

module type integer = number with t = i32
