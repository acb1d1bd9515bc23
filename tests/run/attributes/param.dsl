-- A tuning parameter that is not set has the value of the expression after it.
-- ==
-- entry: host
-- input { 3i64 } output { 19i64 }
-- entry: twice
-- input { 5i64 } output { 11i64 }
-- entry: mapped
-- input { [1i64, 2i64, 3i64] } output { [17i64, 18i64, 19i64] [1i64, 2i64, 3i64] }
-- entry: sized
-- input { 1i64 } output { [0i64, 1i64, 2i64, 3i64] 16i64 }
-- entry: chunked
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { 15i64 }
-- entry: by_constant
-- input { 3i32 } output { [7i32, 7i32] }
-- entry: in_calls
-- input { 5i64 } output { 21i64 }
-- entry: in_rounds
-- input { 3i64 } output { 48i64 }
-- entry: divided
-- input { 40i64 } output { 2i64 }
-- entry: inverse
-- input { 0i64 } error: division by zero
-- input { 3i64 } output { 33i64 }

entry host (x: i64): i64 = x + #[param(tile)] 16

-- One name in two places, each with its own default.
entry twice (x: i64): i64 = #[param(tile)] x + #[param(tile)] (x + 1)

entry mapped [n] (xs: [n]i64): ([n]i64, [n]i64) =
  (map (\x -> x + #[param(tile)] 16) xs, map (\x -> #[param(tile)] x) xs)

-- The size of an array computed from a parameter is known only at run time.
entry sized (x: i64): ([]i64, i64) =
  let xs = iota (#[param(size)] 4 * x)
  in (xs, length (replicate (#[param(tile)] 16) x))

entry chunked [n] (xs: [n]i64): i64 =
  let size = i64.max 1 (#[param(size)] 4)
  let chunks = (n + size - 1) / size
  in i64.sum (tabulate chunks (\c -> i64.sum (map (\i -> if i < n then xs[i] else 0) (c * size...c * size + size - 1))))

#[param(width)]
def width: i64 = 2

def several (x: i32): [width]i32 = replicate width x
entry by_constant (x: i32): [width]i32 = map2 (+) (several x) (several (x + 1))

#[noinline]
def more (x: i64): i64 = x + #[param(tile)] 16
entry in_calls (x: i64): i64 = more x

entry in_rounds (x: i64): i64 = loop y = 0 for i < x do y + #[param(tile)] 16

entry divided (x: i64): i64 = x / #[param(tile)] 16

entry inverse (x: i64): i64 = #[param(inverse)] (100 / x)
