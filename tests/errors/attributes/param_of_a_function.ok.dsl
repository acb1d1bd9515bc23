#[param(tile)] def scale: i64 = 16
entry main (x: i64): i64 = scale * x
