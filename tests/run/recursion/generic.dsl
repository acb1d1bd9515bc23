-- Recursive polymorphic and higher-order functions.
-- ==
-- tags { no_gpu }
-- entry: iterated
-- input { 3i32 10i32 }
-- output { 59049i32 [30i32, 31i32] }

-- ==
-- entry: bisected
-- input { 2f64 }
-- output { 1.4142135f64 }

-- ==
-- entry: captured
-- input { 2i64 [1i64, 2i64, 3i64] }
-- output { 18i64 }

-- ==
-- entry: in_map
-- input { [0i32, 1i32, 5i32, 10i32] }
-- output { [1i32, 1i32, 8i32, 89i32] }

-- ==
-- entry: inside_reduce
-- input { [12i64, 18i64, 30i64] }
-- output { 6i64 }

def iterate_down 'a (f: a -> a) (n: i32) (x: a): a = if n == 0 then x else iterate_down f (n - 1) (f x)

entry iterated (k: i32) (n: i32): (i32, [2]i32) =
  (iterate_down (* k) n 1, iterate_down (map (+ k)) n [0, 1])

def root (f: f64 -> f64) (low: f64) (high: f64): f64 =
  let middle = (low + high) / 2
  in if high - low < 1e-9 then middle
     else if f middle < 0 then root f middle high else root f low middle

entry bisected (a: f64): f64 = root (\x -> x * x - a) 0 a

def fold [n] (f: i64 -> i64 -> i64) (start: i64) (xs: [n]i64): i64 =
  if n == 0 then start else f xs[0] (fold f start xs[1:])

entry captured (k: i64) (xs: []i64): i64 = fold (\x rest -> x * k + rest) 6 xs

def fib (n: i32): i32 = if n < 2 then 1 else fib (n - 1) + fib (n - 2)

entry in_map (xs: []i32): []i32 = map fib xs

def gcd (a: i64) (b: i64): i64 = if b == 0 then a else gcd b (a % b)

entry inside_reduce (xs: []i64): i64 = reduce gcd 0 xs
