-- Values of sum types that contain functions. Their constructor is known at compile time.
-- ==
-- entry: handed_on
-- input { 3i32 }
-- output { 4i32 9i32 3i32 }

-- ==
-- entry: in_records
-- input { 3i32 }
-- output { 16i32 10i32 7i32 }

-- ==
-- entry: captured
-- input { [1i32, 2i32] }
-- output { [2i32, 3i32] [1i32, 4i32] [1i32, 2i32] }

-- ==
-- entry: through_any_type
-- input { 3i32 }
-- output { 5i32 3i32 }

type^ change = #keep | #once (i32 -> i32) | #twice (i32 -> i32)

#[noinline]
def changed (change: change) (x: i32): i32 =
  match change
  case #keep -> x
  case #once f -> f x
  case #twice f -> f (f x)

entry handed_on (x: i32): (i32, i32, i32) =
  (changed (#once (+ 1)) x, changed (#twice (+ 3)) x, changed #keep x)

type^ step = {first: change, amount: #none | #some i32}

#[noinline]
def walk (step: step) (x: i32): i32 =
  let add = match step.amount case #none -> 1 case #some amount -> amount
  in changed step.first x + add

entry in_records (x: i32): (i32, i32, i32) =
  ( walk {first = #twice (* 2), amount = #some 4} x
  , walk {first = #once (* 3), amount = #none} x
  , walk {first = #keep, amount = if x > 2 then #some 4 else #none} x
  )

#[noinline]
def mapped [n] (change: change) (xs: [n]i32): [n]i32 = map (\x -> changed change x) xs

entry captured [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32) =
  let squared = \x -> x * x
  in (mapped (#once (+ 1)) xs, mapped (#once squared) xs, mapped #keep xs)

def same '^a (x: a): a = x

#[noinline]
def applied '^f (apply: f -> i32 -> i32) (f: f) (x: i32): i32 = apply f x

entry through_any_type (x: i32): (i32, i32) =
  (applied changed (same (#twice (+ 1))) x, applied changed (same #keep) x)
