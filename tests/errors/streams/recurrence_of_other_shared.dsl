def next (x: i64) (i: i64): i64 = x + i
#[recurrence(next)]
def at (c: i64) (i: i64): i64 = c + i * (i - 1) / 2
