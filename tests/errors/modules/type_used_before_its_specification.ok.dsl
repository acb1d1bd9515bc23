module type number = { type t val zero: t }
