def fine (x: i32): i32 = x + 1

def first (x: i32): i32 = (x + 1

def second (x: i32): i32 = if x then 1

def also_fine (x: i32): i32 = fine x

def third (x i32): i32 = x

entry main (x: i32): i32 = also_fine x
