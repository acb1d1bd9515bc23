def next (x: i64) (_: i64): i32 = i32.i64 x + 1
#[recurrence(next)]
def count (i: i64): i64 = i
