module type v = { val x: i32 }
module m0 = { def x: i32 = 1 }
module f1 (A: v) = { def x: i32 = A.x + 1 def y: i32 = A.x def z: i32 = x + y }
module f2 (A: v) = { module a = f1 A module b = f1 a def x: i32 = a.x + b.x }
module m = f2 m0
