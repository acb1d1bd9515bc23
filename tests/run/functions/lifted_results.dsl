-- If the result of a function has a lifted type parameter, its size may be known only after the call. Sizes that a
-- written result type leaves open, and that the body does not determine, may be any size.
-- ==
-- entry: positive
-- input { [1, -2, 3] } output { [1, 3] 2i64 }
-- input { [-1] } output { empty([0]i32) 0i64 }
def apply 'a '~b (f: a -> b) (x: a): b = f x
def (|>>) '^a '^b (x: a) (f: a -> b): b = f x
entry positive (xs: []i32): ([]i32, i64) =
  (apply (filter (> 0)) xs, xs |>> filter (> 0) |>> map (+ 1) |>> length)

-- ==
-- entry: counted
-- input { 3i64 } output { [0i64, 1, 2] 6i64 }
entry counted (n: i64): ([]i64, i64) =
  (apply (\m -> iota m) n, n |>> (\m -> iota (m + 1)) |>> i64.sum)

-- ==
-- entry: chosen
-- input { true [1, 2, 3] } output { [2, 3] }
-- input { false [1, 2, 3] } output { [3, 2] }
def choose 'a '~b (f: a -> b) (x: a) (y: a) (c: bool): b = if c then f x else f y
entry chosen (c: bool) (xs: []i32): []i32 = choose (filter (> 1)) xs (map (4 -) xs) c

-- ==
-- entry: empty_rows
-- input { 2i64 } output { empty([0][2]i64) 0i64 }
def none (_: i32): [0][]i64 = []
def nothing: [0][]i64 = []
entry empty_rows (n: i64): ([0][n]i64, i64) = (none 1, length (nothing: [0][3]i64))

-- ==
-- entry: option
-- input { false } output { -1i64 }
-- input { true } output { 2i64 }
def some (b: bool): #some ([]i64) | #none = if b then #some (filter (> 0) [0, 1, 2] :> [2]i64) else #none
entry option (b: bool): i64 =
  match some b
  case #some xs -> length xs
  case #none -> -1
