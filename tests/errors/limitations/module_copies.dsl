module type v = { val x: i32 }
module m0 = { def x: i32 = 1 }
module f1 (A: v) = { def x: i32 = A.x + 1 def y: i32 = A.x def z: i32 = x + y }
module f2 (A: v) = { module a = f1 A module b = f1 a def x: i32 = a.x + b.x }
module f3 (A: v) = { module a = f2 A module b = f2 a def x: i32 = a.x + b.x }
module f4 (A: v) = { module a = f3 A module b = f3 a def x: i32 = a.x + b.x }
module f5 (A: v) = { module a = f4 A module b = f4 a def x: i32 = a.x + b.x }
module f6 (A: v) = { module a = f5 A module b = f5 a def x: i32 = a.x + b.x }
module f7 (A: v) = { module a = f6 A module b = f6 a def x: i32 = a.x + b.x }
module f8 (A: v) = { module a = f7 A module b = f7 a def x: i32 = a.x + b.x }
module f9 (A: v) = { module a = f8 A module b = f8 a def x: i32 = a.x + b.x }
module f10 (A: v) = { module a = f9 A module b = f9 a def x: i32 = a.x + b.x }
module f11 (A: v) = { module a = f10 A module b = f10 a def x: i32 = a.x + b.x }
module f12 (A: v) = { module a = f11 A module b = f11 a def x: i32 = a.x + b.x }
module f13 (A: v) = { module a = f12 A module b = f12 a def x: i32 = a.x + b.x }
module f14 (A: v) = { module a = f13 A module b = f13 a def x: i32 = a.x + b.x }
module f15 (A: v) = { module a = f14 A module b = f14 a def x: i32 = a.x + b.x }
module f16 (A: v) = { module a = f15 A module b = f15 a def x: i32 = a.x + b.x }
module f17 (A: v) = { module a = f16 A module b = f16 a def x: i32 = a.x + b.x }
module f18 (A: v) = { module a = f17 A module b = f17 a def x: i32 = a.x + b.x }
module f19 (A: v) = { module a = f18 A module b = f18 a def x: i32 = a.x + b.x }
module f20 (A: v) = { module a = f19 A module b = f19 a def x: i32 = a.x + b.x }
module f21 (A: v) = { module a = f20 A module b = f20 a def x: i32 = a.x + b.x }
module f22 (A: v) = { module a = f21 A module b = f21 a def x: i32 = a.x + b.x }
module m = f22 m0
