-- A lambda or local function may return a constant, if the result of the definition is another array.

def table: [3]i64 = [1, 2, 3]

-- ==
-- entry: rows
-- input { 2i64 } output { [[1i64, 2, 3], [1i64, 2, 3]] }
entry rows (n: i64) = map (\_ -> table) (iota n)

def apply 'a 'b (f: a -> b) (x: a) = f x

-- ==
-- entry: chosen
-- input { true } output { 2i64 [2i64, 2, 3] }
-- input { false } output { 5i64 [2i64, 2, 3] }
entry chosen (c: bool) =
  let pick (b: bool) = if b then table else [4, 5, 6]
  in ((apply pick c)[1], copy (apply pick true) with [0] = 2)
