module m: { module inner: { val x: i32 } } = { module inner = { def x: i32 = 1 } }
