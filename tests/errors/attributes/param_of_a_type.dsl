#[param(tile)] type size = i64
entry main (x: size): size = x * 16
