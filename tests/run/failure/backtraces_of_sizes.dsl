-- A size that is an expression is computed where it is used, without a call: failures in it list only the calls that
-- the program has.
-- ==
-- entry: of_iota of_slice of_replicate of_range of_tabulate of_concat of_flatten of_transposed
-- input { [1i64, 2i64] 5i64 }
-- error: ^Index \[5\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*backtraces_of_sizes\.dsl:\d+:\d+-\d+$

-- ==
-- entry: reduced sliced taken bound looped declared
-- input { [1i64, 2i64] 5i64 }
-- error: ^Index \[5\] out of bounds for array of shape \[2\]\.\n\nBacktrace:\n-> #0 .*backtraces_of_sizes\.dsl:\d+:\d+-\d+$

-- Inside `map`, the only call is that of the anonymous function.
-- ==
-- entry: mapped
-- input { [1i64, 2i64] 5i64 }
-- error: -> #0 .*dsl:59:33-37\n   #1 .*dsl:59:3-44$

-- Sizes that are equal by their form, in two functions: each failure names its own place.
-- ==
-- entry: two
-- input { [1i64, 2i64] 5i64 }
-- error: -> #0 .*dsl:66:34-38\n   #1 .*dsl:68:\d+-\d+$
-- input { [1i64, 2i64] -1i64 }
-- error: -> #0 .*dsl:62:40-44\n   #1 .*dsl:68:\d+-\d+$

-- ==
-- entry: called not_inlined in_a_local
-- input { [1i64, 2i64] 5i64 }
-- error: -> #0 .*dsl:\d+:\d+-\d+\n   #1 .*dsl:\d+:\d+-\d+$

-- A function that the size calls is a call.
-- ==
-- entry: computed
-- input { [1i64, 2i64] 5i64 }
-- error: ^division by zero\n\nBacktrace:\n-> #0 .*dsl:78:\d+-\d+\n   #1 .*dsl:79:\d+-\d+\n   #2 .*dsl:80:\d+-\d+$

entry of_iota (xs: []i64) (k: i64) = iota xs[k]
entry of_slice (xs: []i64) (k: i64) = xs[0:xs[k]]
entry of_replicate (xs: []i64) (k: i64) = replicate xs[k] 1i32
entry of_range (xs: []i64) (k: i64) = 0..<xs[k]
entry of_tabulate (xs: []i64) (k: i64) = tabulate_2d xs[k] 3 (\i j -> i + j)
entry of_concat (xs: []i64) (k: i64) = iota xs[k] ++ xs
entry of_flatten (xs: []i64) (k: i64) = flatten (replicate 3 (replicate xs[k] 3i64))
entry of_transposed (xs: []i64) (k: i64) = transpose (replicate xs[k] xs)

entry reduced (xs: []i64) (k: i64) = i64.sum (replicate xs[k] k)
entry sliced (xs: []i64) (k: i64) = i64.sum xs[0:xs[k]]
entry taken (xs: []i64) (k: i64) = i64.sum (take xs[k] xs)
entry bound (xs: []i64) (k: i64) = let ys = iota xs[k] in i64.sum (map2 (+) ys (iota xs[k]))

entry looped (xs: []i64) (k: i64) =
  loop s = 0 for i in iota xs[k] do
    s + i

entry declared (xs: []i64) (k: i64): [xs[k]]i64 = iota xs[k]

entry mapped (xs: []i64) (k: i64) =
  map (\i -> i64.sum (replicate xs[k] i)) xs

def first_size (xs: []i64) (k: i64) =
  let shift = 4 in map (+ shift) (iota xs[k])

def second_size (ys: []i64) (i: i64) =
  let shift = 5
  in map (\y -> y + shift) (iota ys[i])

entry two (xs: []i64) (k: i64) = (first_size xs (i64.min k 0), second_size xs k)

def sized (xs: []i64) (k: i64) = iota xs[k]
entry called (xs: []i64) (k: i64) = sized xs k

#[noinline]
def sized_apart (xs: []i64) (k: i64) = iota xs[k]
entry not_inlined (xs: []i64) (k: i64) = i64.sum (sized_apart xs k)
entry in_a_local (xs: []i64) (k: i64) = let make (i: i64) = iota xs[i] in i64.sum (make k)

def tenth (k: i64) = 10 / k
def tenths (k: i64) = iota (tenth (k - 5))
entry computed (_: []i64) (k: i64) = tenths k
