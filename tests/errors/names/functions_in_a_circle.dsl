def first (x: i32): i32 = if x < 0 then x else second (x - 1)
def second (x: i32): i32 = third x
def third (x: i32): i32 = first x
