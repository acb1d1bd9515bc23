def next (x: i64) (_: i64): i64 = x + 1
#[recurrence]
def count (i: i64): i64 = i
