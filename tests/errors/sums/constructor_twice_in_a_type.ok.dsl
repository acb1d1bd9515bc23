def f (x: #a | #b | #c i32) = 1
