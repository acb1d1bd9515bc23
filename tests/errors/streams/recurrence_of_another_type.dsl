def next (c: f64) (x: f64) (i: i64): f64 = x + c * f64.i64 i
#[recurrence(next)]
def sum (c: f32) (i: i64): f32 = c * f32.i64 (i * (i - 1) / 2)
