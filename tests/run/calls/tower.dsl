-- Twenty functions that each call the previous one three times. Inlining all of them would make
-- 3^20 calls. For a large number no function calls another one.
-- ==
-- tags { no_gpu }
-- input { 5i64 }
-- output { 3005i64 }
-- input { -1000i64 }
-- output { 2000i64 }

def f0 (x: i64): i64 = x + 1000
def f1 (x: i64): i64 = if x > 100 then x else f0 (f0 (f0 x))
def f2 (x: i64): i64 = if x > 100 then x else f1 (f1 (f1 x))
def f3 (x: i64): i64 = if x > 100 then x else f2 (f2 (f2 x))
def f4 (x: i64): i64 = if x > 100 then x else f3 (f3 (f3 x))
def f5 (x: i64): i64 = if x > 100 then x else f4 (f4 (f4 x))
def f6 (x: i64): i64 = if x > 100 then x else f5 (f5 (f5 x))
def f7 (x: i64): i64 = if x > 100 then x else f6 (f6 (f6 x))
def f8 (x: i64): i64 = if x > 100 then x else f7 (f7 (f7 x))
def f9 (x: i64): i64 = if x > 100 then x else f8 (f8 (f8 x))
def f10 (x: i64): i64 = if x > 100 then x else f9 (f9 (f9 x))
def f11 (x: i64): i64 = if x > 100 then x else f10 (f10 (f10 x))
def f12 (x: i64): i64 = if x > 100 then x else f11 (f11 (f11 x))
def f13 (x: i64): i64 = if x > 100 then x else f12 (f12 (f12 x))
def f14 (x: i64): i64 = if x > 100 then x else f13 (f13 (f13 x))
def f15 (x: i64): i64 = if x > 100 then x else f14 (f14 (f14 x))
def f16 (x: i64): i64 = if x > 100 then x else f15 (f15 (f15 x))
def f17 (x: i64): i64 = if x > 100 then x else f16 (f16 (f16 x))
def f18 (x: i64): i64 = if x > 100 then x else f17 (f17 (f17 x))
def f19 (x: i64): i64 = if x > 100 then x else f18 (f18 (f18 x))
def f20 (x: i64): i64 = if x > 100 then x else f19 (f19 (f19 x))

entry main (x: i64): i64 = f20 x
