module type t = { val x: i32 val x: i64 }
