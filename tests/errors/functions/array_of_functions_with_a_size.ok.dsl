def f [n] (g: i32 -> i32) (xs: [n]i32) = map (\x -> [g x, g x]) xs
def h (g: i32 -> i32) = [g 1, g 2]
