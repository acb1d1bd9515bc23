-- Abstract types with size and type parameters.
-- ==
-- input { [1, 2, 3] }
-- output { [3, 2, 1] 3i64 6 [false, true, false] }

module type stack = {
  type t [n] 'a
  val from [n] 'a: [n]a -> t [n] a
  val to [n] 'a: t [n] a -> [n]a
  val depth [n] 'a: t [n] a -> i64
}

module stack: stack = {
  type t [n] 'a = (i64, [n]a)
  def from [n] 'a (xs: [n]a): t [n] a = (n, xs[::-1])
  def to [n] 'a (s: t [n] a): [n]a = s.1
  def depth [n] 'a (s: t [n] a): i64 = s.0
}

def sum_of [n] (s: stack.t [n] i32): i32 = reduce (+) 0 (stack.to s)

entry main [n] (xs: [n]i32): ([n]i32, i64, i32, [n]bool) =
  let s = stack.from xs
  in (stack.to s, stack.depth s, sum_of s, stack.to (stack.from (map (== 2) xs)))
