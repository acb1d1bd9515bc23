def twice (x: i32): i32 = 2 * x

entry main (x: i32): i32 = twice x
