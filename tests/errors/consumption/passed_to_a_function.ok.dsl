def apply 'a 'b (f: *a -> b) (x: *a) = f x
def zero (xs: *[]i32) = xs with [0] = 0
def f (xs: *[]i32) = apply zero xs
