-- A parametric module inside the result of another.
-- ==
-- input { 1 }
-- output { 111 }

module type value = { val x: i32 }

module outer (A: value) = {
  module inner (B: value) = { def f (k: i32): i32 = k + A.x + B.x }
}

module o = outer { def x: i32 = 10 }
module i = o.inner { def x: i32 = 100 }

entry main (k: i32): i32 = i.f k
