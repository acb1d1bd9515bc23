def rows [n] (rows: [][n]i32) (row: [n]i32) = length row + length rows
def f (xs: []i32) = rows [] (filter (> 0) xs)
