def f (x: i32): i32 = x
function g (x: i32) = f x
