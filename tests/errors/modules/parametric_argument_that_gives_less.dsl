module use (F: (X: { val x: i32 }) -> { val y: i32 }) = F { def x: i32 = 1 }

module m = use (\(X: { val x: i32 }) -> { def z: i32 = X.x })
