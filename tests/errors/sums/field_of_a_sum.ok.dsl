def f (x: #a i32 | #b) = match x case #a y -> y case #b -> 0
