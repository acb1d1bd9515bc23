def f [n] (g: i32 -> i32) (xs: [n]i32) = map (\x -> [g, g]) xs
def h [n] (g: i32 -> i32) = [g, g]
