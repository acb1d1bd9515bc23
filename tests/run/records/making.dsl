-- Records are constructed, also with bare fields, and decomposed by names, patterns and sections.
-- ==
-- entry: swap
-- input { 1 2 }
-- output { 2 1 }
-- entry: punned
-- input { 3 4.5f32 }
-- output { 4 9.0f32 }
-- entry: nested
-- input { 5 }
-- output { 5 6 11 }
-- entry: section
-- input { [1, 2] [10, 20] }
-- output { [11, 22] [10, 20] }
-- entry: by_number
-- input { 7 true }
-- output { true 7 }
-- entry: ten_components
-- input { 1 }
-- output { 10 9 }
-- entry: partly_numbered
-- input { 2 }
-- output { 2 4 6 }
-- entry: ascribed
-- input { 8 }
-- output { 64 }

entry swap (x: i32) (y: i32): (i32, i32) =
  let r = {left = x, right = y}
  in (r.right, r.left)

entry punned (count: i32) (weight: f32): (i32, f32) =
  let r = {weight, count}
  let {count, weight} = r
  in (count + 1, weight * 2)

entry nested (x: i32): (i32, i32, i32) =
  let r = {outer = {inner = {x}, y = x + 1}, sum = x + x + 1}
  let {outer = {inner = {x}, y}, sum} = r
  in (x, y, if x == r.outer.inner.x && y == (r.outer).y then sum else 0)

entry section [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
  let rs = map2 (\x y -> {point = {x, y}, sum = x + y}) xs ys
  in (map (.sum) rs, map (.point.y) rs)

-- A tuple is a record whose fields are numbers.
entry by_number (x: i32) (b: bool): (bool, i32) =
  let t: (i32, bool) = {1 = b, 0 = x}
  let {0 = y, 1 = c} = t
  in (c, y)

entry ten_components (x: i32): (i32, i32) =
  let t = {0 = x, 1 = x, 2 = x, 3 = x, 4 = x, 5 = x, 6 = x, 7 = x, 8 = x, 9 = 9, 10 = 10}
  in (t.10, t.9)

entry partly_numbered (x: i32): (i32, i32, i32) =
  let r = {a = 3 * x, 10 = 2 * x, 9 = x}
  in (r.9, r.10, r.a)

entry ascribed (x: i32): i32 =
  let r: {side: i32, area: i32} = {area = x * x, side = x}
  let {area, side = _}: {area: i32, side: i32} = r
  in area
