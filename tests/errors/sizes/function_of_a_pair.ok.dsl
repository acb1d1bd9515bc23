def f (n: i64) (m: i64): ([n][m](), [n][m]bool -> bool) = (replicate n (replicate m ()), \b -> b[0, 0])
def g = uncurry f
