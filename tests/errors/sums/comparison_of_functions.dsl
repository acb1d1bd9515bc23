def f (x: #a (i32 -> i32) | #b) = x == #b
