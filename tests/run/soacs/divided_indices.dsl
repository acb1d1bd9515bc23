-- Indices that are divided: rows of one length, rows too short to be worth counting, a last row that is shorter.
-- ==
-- entry: digits
-- input { 64i64 16i64 } output { 4737811648804343840i64 }
-- input { 63i64 16i64 } output { -4607617449705550713i64 }
-- input { 64i64 8i64 } output { 2089141910446145568i64 }
-- input { 0i64 16i64 } output { 0i64 }
-- input { 10i64 20i64 } output { 910698096645i64 }
-- input { 64i64 -16i64 } output { 2823565101642671168i64 }
-- input { 60i64 20i64 } output { -5088021450325342434i64 }
-- input { 0i64 0i64 } output { 0i64 }
-- input { 3i64 0i64 } error: division by zero
-- input { 64i64 -9223372036854775808i64 } output { 6904763239714471736i64 }

-- ==
-- entry: halves
-- input { 64i64 16i64 } output { 3513847129926656000i64 }
-- input { 96i64 16i64 } output { 7509161779023106048i64 }
-- input { 48i64 16i64 } output { -717741977879164920i64 }
-- input { 128i64 16i64 } output { 133453483974836224i64 }
-- input { 64i64 1i64 } output { 7427953771548937472i64 }

-- ==
-- entry: grid
-- input { 2i64 128i64 2i64 32i64 } output { 4412574334115805312i64 }
-- input { 3i64 128i64 4i64 16i64 } output { -4176066757868818240i64 }
-- input { 3i64 128i64 3i64 16i64 } output { -7326603549670629696i64 }
-- input { 1i64 100i64 2i64 16i64 } output { 1740051492250860850i64 }
-- input { 2i64 0i64 2i64 16i64 } output { 0i64 }

-- The failure with the least index is reported.
-- ==
-- entry: gathered
-- input { [1, 2, 3] 64i64 16i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 64i64 0i64 } error: division by zero

-- A number for a whole array, so that it is stored.
local def fold [n] (ys: [n]i64): i64 = loop sum = 0 for i < n do 31 * sum + ys[i]

entry digits (n: i64) (m: i64): i64 = fold (tabulate n (\i -> i / m * 1000 + i % m))

entry halves (n: i64) (k: i64): i64 =
  let element (i: i64) =
    let (row, place) = (i / (2 * k), i % (2 * k))
    let first = row * 1000 + place % k
    in if place < k then first else -first
  in fold (tabulate n element)

entry grid (a: i64) (n: i64) (k: i64) (m: i64): i64 =
  let element (x: i64) (i: i64) =
    let row = i / m
    in row / k * 100 + row % k * 10 + i % m + x
  in fold (flatten (tabulate_2d a n element))

entry gathered [k] (xs: [k]i32) (n: i64) (m: i64): []i32 = tabulate n (\i -> xs[i % m - i / m])
