def both 't (x: t): (t, t) = (x, x)

def main (xs: []i32): (*[]i32, *[]i32) = both (copy xs)
