fn main (x: i32) = x
