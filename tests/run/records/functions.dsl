-- Records contain functions, are arguments of polymorphic functions, and are passed to functions.
-- ==
-- entry: methods
-- input { 3 4 }
-- output { 7 12 }
-- entry: captured
-- input { 2 [1, 2, 3] }
-- output { [3, 4, 5] }
-- entry: polymorphic
-- input { 1 true }
-- output { true 1 }
-- entry: dictionary
-- input { [1, 2, 3] [1.5, 2.5] }
-- output { 6 4.0 }
-- entry: updated_function
-- input { 5 }
-- output { 6 10 }
-- entry: operators
-- input { 3 4 }
-- output { 4 6 }
-- entry: loop_state
-- input { 10 }
-- output { 55 10 }
-- entry: loop_punned
-- input { 3 }
-- output { 8 3 }
-- entry: branches
-- input { true [1, 2] }
-- output { [1, 2] 2i64 }
-- input { false [1, 2] }
-- output { [0, 1, 2] 3i64 }

entry methods (x: i32) (y: i32): (i32, i32) =
  let ops = {add = \a b -> a + b, times = (*)}
  in (ops.add x y, ops.times x y)

entry captured (k: i32) (xs: []i32): []i32 =
  let shift = {by = k, apply = \x -> x + k}
  in map shift.apply xs

def flip_pair 'a 'b (p: {fst: a, snd: b}): {fst: b, snd: a} = {fst = p.snd, snd = p.fst}

entry polymorphic (x: i32) (b: bool): (bool, i32) =
  let q = flip_pair {fst = x, snd = b}
  in (q.fst, q.snd)

def sum_with 'a [n] (monoid: {plus: a -> a -> a, zero: a}) (xs: [n]a): a =
  reduce monoid.plus monoid.zero xs

entry dictionary (xs: []i32) (ys: []f64): (i32, f64) =
  (sum_with {plus = (+), zero = 0} xs, sum_with {plus = (+), zero = 0} ys)

entry updated_function (x: i32): (i32, i32) =
  let r = {f = \y -> y + 1, x}
  let s = r with f = (* 2)
  in (r.f r.x, s.f s.x)

def (+.) (a: {x: i32, y: i32}) (b: {x: i32, y: i32}) = {x = a.x + b.x, y = a.y + b.y}

entry operators (x: i32) (y: i32): (i32, i32) =
  let r = {x, y} +. {x = 1, y = 2}
  in (r.x, r.y)

entry loop_state (n: i32): (i32, i32) =
  let r = loop r = {sum = 0, count = 0} while r.count < n do
            r with sum = r.sum + r.count + 1 with count = r.count + 1
  in (r.sum, r.count)

entry loop_punned (n: i32): (i32, i32) =
  let x = 1
  let y = 0
  let {x, y} = loop {x, y} for _i < n do {x = x * 2, y = y + 1}
  in (x, y)

entry branches (b: bool) (xs: []i32): ([]i32, i64) =
  let r = if b then {xs, count = length xs} else {xs = [0] ++ xs, count = length xs + 1}
  in (r.xs, r.count)
