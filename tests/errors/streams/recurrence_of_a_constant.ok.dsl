def next (x: i64) (_: i64): i64 = x
#[recurrence(next)]
def seven (_: i64): i64 = 7
