def f (x: #one | #two) = x + 1
