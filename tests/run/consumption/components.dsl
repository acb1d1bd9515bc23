-- Components of tuples and fields of records are consumed and returned independently.

def put (a: *[]i32, b: []i32) = a with [0] = b[0]

-- ==
-- entry: takes_one
-- input { [1, 2] [3, 4] }
-- output { [3, 2] [3, 4] }
entry takes_one (x: []i32) (y: []i32) = (put (copy x, y), y)

def stir [n] (p: {from: [n]i32, to: *[n]i32}): {kept: [n]i32, new: *[n]i32} =
  {new = p.to with [n - 1] = p.from[0], kept = p.from}

-- ==
-- entry: gives_one
-- input { [1, 2] [3, 4] }
-- output { [7, 1] [1, 2] }
entry gives_one [n] (x: [n]i32) (y: *[n]i32) =
  let {kept, new} = stir {from = x, to = y}
  in (new with [0] = 7, kept)

#[noinline]
def shift [n] (k: i64) (a: *[n]i32, b: [n]i32): (*[n]i32, [n]i32) =
  (loop a for i < n do a with [i] = b[(i + k) % n], b)

-- ==
-- entry: called
-- input { [1, 2, 3] [4, 5, 6] }
-- output { [5, 6, 4] [4, 5, 6] [6, 4, 5] }
entry called [n] (x: [n]i32) (y: [n]i32) =
  let (a, b) = shift 1 (copy x, y)
  let (c, _) = shift 2 (copy x, b)
  in (a, b, c)

-- A module may hide the type of the component that is consumed.
module type stack = {
  type stack [n]
  val new : (n: i64) -> (*stack [n], [n]i64)
  val push [n] : (*stack [n], i64) -> *stack [n]
  val sum [n] : stack [n] -> i64
}

module stack: stack = {
  type stack [n] = {top: i64, held: [n]i64}
  def new n: (*stack [n], [n]i64) = ({top = 0, held = replicate n 0}, iota n)
  def push [n] (s: *stack [n], x: i64): *stack [n] = {top = s.top + 1, held = s.held with [s.top] = x}
  def sum [n] (s: stack [n]) = i64.sum s.held + s.top
}

-- ==
-- entry: hidden
-- input { 4i64 } output { 22i64 [0i64, 1i64, 2i64, 3i64] }
entry hidden n =
  let (s, places) = stack.new n
  let s = stack.push (s, 9)
  let s = stack.push (s, 11)
  in (stack.sum s, places)
