#[fast] type t = i32
entry main (x: t): t = x
