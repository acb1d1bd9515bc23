def rows [n] (row: [n]i32) (rows: [][n]i32) = length row + length rows
def f (xs: []i32) = rows (filter (> 0) xs) []
