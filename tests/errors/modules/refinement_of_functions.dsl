module type number = { type t val zero: t val add: t -> t -> t }

module type functions = number with t = (i32 -> i32)
