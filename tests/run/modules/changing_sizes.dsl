-- Loops over values of abstract types that hide array sizes, which may change in every iteration.
module stack: {
  type~ t
  val new: i64 -> t
  val push: i64 -> t -> t
  val pop: t -> t
  val size: t -> i64
  val sum: t -> i64
} = {
  type~ t = []i64
  def new (n: i64): t = iota n
  def push (x: i64) (s: t): t = s ++ [x]
  def pop (s: t): t = tail s
  def size (s: t) = length s
  def sum (s: t) = i64.sum s
}

-- ==
-- entry: shrinking
-- input { 4i64 } output { 2i64 5i64 }
-- input { 2i64 } output { 2i64 1i64 }
entry shrinking (n: i64) =
  let s = loop (s: stack.t) = stack.new n while stack.size s > 2 do stack.pop s
  in (stack.size s, stack.sum s)

-- ==
-- entry: growing
-- input { 4i64 } output { 4i64 6i64 }
-- input { 0i64 } output { 0i64 0i64 }
entry growing (n: i64) =
  let s = loop s = stack.new 0 for i < n do stack.push i s
  in (stack.size s, stack.sum s)

-- ==
-- entry: over_elements
-- input { [4i64, 2i64, 3i64] } output { 5i64 10i64 }
-- input { empty([0]i64) } output { 2i64 1i64 }
entry over_elements (xs: []i64) =
  let s = loop s = stack.new 2 for x in xs do stack.push x s
  in (stack.size s, stack.sum s)

-- Next to a value whose size does not change.
-- ==
-- entry: counted
-- input { 5i64 } output { 2i64 3i64 [3i64, 4i64, 5i64, 6i64, 7i64] }
entry counted (n: i64) =
  let (s, k, xs) =
    loop (s, k, xs) = (stack.new n, 0i64, iota n)
    while stack.size s > 2
    do (stack.pop s, k + 1, map (+ 1) xs)
  in (stack.size s, k, xs)

-- ==
-- entry: in_a_record
-- input { 4i64 } output { 2i64 2i64 }
entry in_a_record (n: i64) =
  let r = loop r = {s = stack.new n, k = 0i64} for _i < 2 do {s = stack.pop r.s, k = r.k + 1}
  in (stack.size r.s, r.k)

-- Two values that alternate.
-- ==
-- entry: taking_turns
-- input { 3i64 } output { 10i64 3i64 }
entry taking_turns (n: i64) =
  let (a, b) = loop (a, b) = (stack.new 1, stack.new 9) for _i < n do (b, stack.push 1 a)
  in (stack.size a, stack.size b)

-- ==
-- entry: nested
-- input { 3i64 } output { 7i64 }
entry nested (n: i64) =
  stack.size (loop s = stack.new 1 for i < n do loop s = s for j < i + 1 do stack.push j s)

-- A polymorphic loop, instantiated with such a type.
def fold '~a (f: a -> i64 -> a) (z: a) (n: i64): a = loop acc = z for i < n do f acc i

-- ==
-- entry: polymorphic
-- input { 4i64 } output { 5i64 6i64 }
entry polymorphic (n: i64) =
  let s = fold (\s i -> stack.push i s) (stack.new 1) n
  in (stack.size s, stack.sum s)

-- Some sizes are hidden, others are arguments.
module grown: {
  type~ t [n]
  val new: (n: i64) -> i64 -> t [n]
  val grow [n]: t [n] -> t [n]
  val sizes [n]: t [n] -> (i64, i64)
} = {
  type~ t [n] = {fixed: [n]i64, hidden: [](i64, bool)}
  def new (n: i64) (k: i64): t [n] = {fixed = iota n, hidden = map (\i -> (i, true)) (iota k)}
  def grow [n] (x: t [n]): t [n] = x with hidden = x.hidden ++ map (\i -> (i, false)) x.fixed
  def sizes [n] (x: t [n]) = (length x.fixed, length x.hidden)
}

-- ==
-- entry: partly_hidden
-- input { 4i64 } output { 4i64 9i64 }
entry partly_hidden (n: i64) = grown.sizes (loop x = grown.new n 1 for _i < 2 do grown.grow x)

-- The type is abstract only inside a parametric module.
module run (X: {type~ t val init: i64 -> t val step: i64 -> t -> t val out: t -> i64}) = {
  def go (n: i64) = X.out (loop s = X.init 0 for i < n do X.step i s)
}

module pairs = run {
  type~ t = ([]i64, i64)
  def init (_: i64): t = ([], 0)
  def step (i: i64) ((x, y): t): t = (x ++ [i], y + 1)
  def out ((x, y): t) = i64.sum x + y
}

-- ==
-- entry: of_a_parameter
-- input { 4i64 } output { 10i64 }
entry of_a_parameter (n: i64) = pairs.go n
