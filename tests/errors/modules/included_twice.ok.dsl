module type one = { val x: i32 }
module type two = { include one val y: i32 }
