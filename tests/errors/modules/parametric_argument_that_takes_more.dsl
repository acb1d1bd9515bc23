module use (F: (X: { val x: i32 }) -> { val y: i32 }) = F { def x: i32 = 1 }

module m = use (\(X: { val x: i32 val z: i32 }) -> { def y: i32 = X.z })
