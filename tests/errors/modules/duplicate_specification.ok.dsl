module type t = { val x: i32 val y: i64 }
