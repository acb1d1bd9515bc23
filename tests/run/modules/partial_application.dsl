-- A parametric module may be applied to fewer modules than it has parameters.
-- ==
-- input { 5 }
-- output { 11 7 }

module type value = { val x: i32 }

module sum (A: value) (B: value) = { def of (k: i32): i32 = k + A.x + B.x }

module plus_one = sum { def x: i32 = 1 }
module six = plus_one { def x: i32 = 5 }
module two = plus_one { def x: i32 = 1 }

entry main (k: i32): (i32, i32) = (six.of k, two.of k)
