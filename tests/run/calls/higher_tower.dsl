-- A chain of higher-order functions: each passes a function to the previous one, three times.
-- ==
-- tags { no_gpu }
-- input { 1000i64 5i64 }
-- output { 3005i64 }
-- input { 7i64 95i64 }
-- output { 116i64 }

def f0 (g: i64 -> i64) (x: i64): i64 = g x
def f1 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f0 g (f0 g (f0 g x))
def f2 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f1 g (f1 g (f1 g x))
def f3 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f2 g (f2 g (f2 g x))
def f4 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f3 g (f3 g (f3 g x))
def f5 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f4 g (f4 g (f4 g x))
def f6 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f5 g (f5 g (f5 g x))
def f7 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f6 g (f6 g (f6 g x))
def f8 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f7 g (f7 g (f7 g x))
def f9 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f8 g (f8 g (f8 g x))
def f10 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f9 g (f9 g (f9 g x))
def f11 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f10 g (f10 g (f10 g x))
def f12 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f11 g (f11 g (f11 g x))
def f13 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f12 g (f12 g (f12 g x))
def f14 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f13 g (f13 g (f13 g x))
def f15 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f14 g (f14 g (f14 g x))
def f16 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f15 g (f15 g (f15 g x))
def f17 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f16 g (f16 g (f16 g x))
def f18 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f17 g (f17 g (f17 g x))
def f19 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f18 g (f18 g (f18 g x))
def f20 (g: i64 -> i64) (x: i64): i64 = if x > 100 then x else f19 g (f19 g (f19 g x))

entry main (k: i64) (x: i64): i64 = f20 (\y -> y + k) x
