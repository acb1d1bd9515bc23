def f (x: #a (i32) | #b) = x == #b
