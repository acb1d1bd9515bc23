module m: { module inner: { val x: i32 } } = { def x: i32 = 1 }
