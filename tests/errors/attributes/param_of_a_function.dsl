#[param(tile)] def scaled (x: i64): i64 = x * 16
entry main (x: i64): i64 = scaled x
