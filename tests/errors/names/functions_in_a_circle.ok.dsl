def first (x: i32): i32 = if x < 0 then x else first (x - 1)
def second (x: i32): i32 = first x
def third (x: i32): i32 = second x
