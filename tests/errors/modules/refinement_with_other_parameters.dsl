module type vector = { type t [n] }
module type integers = vector with t = i32
