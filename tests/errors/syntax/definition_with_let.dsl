let twice (x: i32): i32 = 2 * x
let thrice (x: i32): i32 = 3 * x

entry main (x: i32): i32 = let y = twice x in thrice y
