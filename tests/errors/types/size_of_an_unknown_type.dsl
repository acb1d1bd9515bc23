type row 'a = rwo
def f [n] (xs: row ([n]i32)) = xs
