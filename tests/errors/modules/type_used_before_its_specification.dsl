module type number = { val zero: t type t }
