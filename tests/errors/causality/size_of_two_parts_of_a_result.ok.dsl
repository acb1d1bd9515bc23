def once '~a (f: () -> a): (a, i64) = (f (), 1)
def f (xs: []i32) = once (\() -> filter (> 0) xs)
