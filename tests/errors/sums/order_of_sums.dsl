def f (x: #a | #b) = x < #b
