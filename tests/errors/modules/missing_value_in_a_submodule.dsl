module m: { module inner: { val x: i32 } } = { module inner = { def y: i32 = 1 } }
