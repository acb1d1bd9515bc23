module type vector = { type t [n] }
module type integers = vector with t [n] = [n]i32
