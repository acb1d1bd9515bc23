-- The values of a lifted type parameter may be functions, or contain some.

def finish '^a (f: a -> i64) (x: a) (n: i64): i64 = if n <= 0 then f x else 1 + finish f x (n - 1)
def unused '^a (x: a) (n: i64): i64 = if n <= 0 then 1 else 2 * unused x (n - 1)
def payload '^a (x: (#some a | #none)) (f: a -> i64) (n: i64): i64 =
  if n > 0 then payload x f (n - 1) else match x case #some a -> f a case #none -> 0
def fold '^a 'b (x: a) (f: a -> b -> b) (y: b) (n: i64): b = if n <= 0 then y else fold x f (f x y) (n - 1)
def sums '^a (x: a) (f: a -> i64 -> i64) (n: i64): i64 =
  if n <= 0 then 0 else i64.sum (map (f x) (iota n)) + sums x f (n - 1)
def made '~a (f: i64 -> a) (n: i64): a = if n <= 0 then f 4 else made f (n - 1)
def nested '^a (x: a) (n: i64): i64 = unused (x, x) n + unused (\(_: i64) -> x) n

-- ==
-- tags { no_gpu }
-- entry: functions
-- input { 3i64 } output { 11i64 }
entry functions (n: i64) = finish (\f -> f 7) (+ 1) n

-- ==
-- tags { no_gpu }
-- entry: parts
-- input { 5i64 } output { 22i64 17i64 7i64 }
entry parts (n: i64) =
  ( finish (\r -> r.f r.k + r.k) {f = \x -> x * 2 + n, k = 4} n
  , finish (\(f, g) -> f 3 + g 4) ((+ 1), (* 2)) n
  , payload (#some (+ 1)) (\f -> f 2) n + payload (#some 4) id n + payload #none (\(f: i64 -> i64) -> f 9) n
  )

-- ==
-- tags { no_gpu }
-- entry: calls
-- input { 5i64 } output { 95i64 [0i64, 32, 64] 7.75 128i64 }
entry calls (n: i64) =
  ( sums (+) (\f y -> f y n) n
  , fold (*) (\f ys -> map (f 2) ys) (iota 3) n
  , fold (f64.+) (\f y -> f y 1.5) 0.25 n
  , nested (+ n) n + nested n n
  )

-- ==
-- tags { no_gpu }
-- entry: sizes
-- input { 2i64 } output { [0i64, 1, 2, 3] 3i64 }
entry sizes (n: i64) = (made iota n, length (made (\k -> filter (> 0) (iota k)) n))
