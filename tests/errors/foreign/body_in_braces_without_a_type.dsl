def f (x: i32) { x + 1 }
