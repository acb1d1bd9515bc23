-- Text data: a string is an array of bytes, also as a row of a larger array.

-- ==
-- entry: rows
-- input { ["ab", "cd", "ef"] } output { ["ba", "dc", "fe"] }
-- input { [[97u8, 98u8], "cd"] } output { [[98u8, 97u8], "dc"] }
-- input { ["", ""] } output { empty([2][0]u8) }
entry rows (xss: [][]u8): [][]u8 = map reverse xss

-- ==
-- entry: length_of_all
-- input { [["one", "two"], ["six", "ten"]] } output { 12i64 }
entry length_of_all [n] [m] [k] (_: [n][m][k]u8): i64 = n * m * k
