def next (x: i64) (i: i64): i64 = x + 2 * i + 1
#[recurrence(next)]
def square (i: i64): i64 = i * i
entry main (i: i64): i64 = square i
