type t = i32
type u = i64
