def twice '~a (f: () -> a): (a, a) = (f (), f ())
def f (xs: []i32) = twice (\() -> filter (> 0) xs)
