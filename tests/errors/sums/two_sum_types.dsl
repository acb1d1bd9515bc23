def f (b: bool) (x: #a | #b) (y: #a | #c) = if b then x else y
