def f (x: #a | #b | #a i32) = 1
