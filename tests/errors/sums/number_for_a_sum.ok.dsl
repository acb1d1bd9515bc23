def f (x: #one | #two) = 1i32
def g = f #one
