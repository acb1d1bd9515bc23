type opt 'a = #some a | #none
def f (_: i32): i64 = let x: opt ([2]i64) = #none in match x case #some xs -> length xs case #none -> 0
