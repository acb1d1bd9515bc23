-- Constructor numbers in arguments must be those of the type, even if the program does not use them.

type colour = #blue | #green | #red
type shape 'a = #box a a | #dot | #line {of: colour, long: a}

-- ==
-- entry: number
-- input { 0 } output { 10 }
-- input { 2 } output { 30 }
-- input { 3 } error: argument 1 holds constructor number 3 of a sum type with 3 constructors
-- input { -1 } error: constructor number -1 of a sum type with 3 constructors
entry number (c: colour): i32 = match c case #blue -> 10 case #green -> 20 case #red -> 30

-- ==
-- entry: ignored
-- input { 1 } output { 5 }
-- input { 7 } error: constructor number 7 of a sum type with 3 constructors
entry ignored (_: colour): i32 = 5

-- ==
-- entry: greens
-- input { [1, 0, 1] } output { 2i64 }
-- input { empty([0]i32) } output { 0i64 }
-- input { [1, 0, 300] } error: argument 1 holds constructor number 300 of a sum type with 3 constructors
-- script input { numbers 3i64 } output { 1i64 }
-- script input { numbers 4i64 } error: constructor number 3 of a sum type with 3 constructors
entry greens [n] (cs: [n]colour): i64 = length (filter (== #green) cs)

entry numbers (n: i64): [n]i32 = map i32.i64 (iota n)

-- ==
-- entry: length_of
-- input { 1.5f32 2 0f32 0f32 4.5f32 2 } output { 6f32 2 }
-- input { 1.5f32 3 0f32 0f32 4.5f32 2 } error: argument 2 holds constructor number 3 of a sum type with 3 constructors
-- input { 1.5f32 2 0f32 0f32 4.5f32 8 } error: argument 6 holds constructor number 8 of a sum type with 3 constructors
entry length_of (more: f32) (s: shape f32): (f32, i32) =
  match s
  case #box x y -> (more + x + y, 0)
  case #dot -> (more, 1)
  case #line {of, long} -> (more + long, match of case #red -> 2 case _ -> 3)

-- ==
-- property: has_a_number

#[prop]
entry has_a_number (c: colour) (cs: [](shape i32)): bool =
  (c == #blue || c == #green || c == #red)
    && all (\s -> match s case #box _ _ -> true case #dot -> true case #line _ -> true) cs
