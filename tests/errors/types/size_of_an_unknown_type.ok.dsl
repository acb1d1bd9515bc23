type row 'a = a
def f [n] (xs: row ([n]i32)) = xs
