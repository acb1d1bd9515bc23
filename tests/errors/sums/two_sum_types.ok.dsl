def f (b: bool) (x: #a | #b) (y: #a | #b) = if b then x else y
