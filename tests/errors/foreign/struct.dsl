struct p { x: i32 }
entry main (x: i32): i32 = x
