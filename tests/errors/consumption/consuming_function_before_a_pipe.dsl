def put (x: i32) (xs: *[]i32) = xs with [0] = x
def f (xs: *[]i32) = put 1 <| xs
