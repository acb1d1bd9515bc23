-- Recursive functions of numbers.
-- ==
-- tags { no_gpu }
-- entry: factorial
-- input { 0i64 }
-- output { 1i64 }
-- input { 20i64 }
-- output { 2432902008176640000i64 }

-- ==
-- entry: fibonacci
-- input { 0i32 }
-- output { 0i32 }
-- input { 20i32 }
-- output { 6765i32 }

-- ==
-- entry: ackermann
-- input { 2i32 3i32 }
-- output { 9i32 }
-- input { 0i32 7i32 }
-- output { 8i32 }

-- ==
-- entry: greatest_divisor
-- input { 84i64 36i64 }
-- output { 12i64 }
-- input { 17i64 0i64 }
-- output { 17i64 }

-- ==
-- entry: collatz
-- input { 27i64 }
-- output { 111i64 }
-- input { 1i64 }
-- output { 0i64 }

-- ==
-- entry: towers
-- input { 5i32 }
-- output { 31i64 }

entry factorial (n: i64): i64 =
  if n == 0 then 1 else n * factorial (n - 1)

entry fibonacci (n: i32): i32 =
  if n < 2 then n else fibonacci (n - 1) + fibonacci (n - 2)

entry ackermann (m: i32) (n: i32): i32 =
  if m == 0 then n + 1
  else if n == 0 then ackermann (m - 1) 1
  else ackermann (m - 1) (ackermann m (n - 1))

entry greatest_divisor (a: i64) (b: i64): i64 =
  if b == 0 then a else greatest_divisor b (a % b)

entry collatz (n: i64): i64 =
  if n == 1 then 0 else 1 + collatz (if n % 2 == 0 then n / 2 else 3 * n + 1)

def hanoi (n: i32) (from: i32) (to: i32) (over: i32): i64 =
  if n == 0 then 0 else hanoi (n - 1) from over to + 1 + hanoi (n - 1) over to from

entry towers (n: i32): i64 = hanoi n 1 3 2
