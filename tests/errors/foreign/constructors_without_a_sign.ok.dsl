type t = #a | #b
entry main (x: i32): i32 = x
