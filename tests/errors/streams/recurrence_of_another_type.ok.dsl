def next (c: f32) (x: f32) (i: i64): f32 = x + c * f32.i64 i
#[recurrence(next)]
def sum (c: f32) (i: i64): f32 = c * f32.i64 (i * (i - 1) / 2)
