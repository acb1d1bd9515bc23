-- Each thread has a loop over a value of an abstract type, which hides the size of an array.
module stack: {
  type~ t
  val new: i64 -> t
  val push: i64 -> t -> t
  val size: t -> i64
  val sum: t -> i64
} = {
  type~ t = []i64
  def new (n: i64): t = iota n
  def push (x: i64) (s: t): t = s ++ [x]
  def size (s: t) = length s
  def sum (s: t) = i64.sum s
}

-- ==
-- tags { no_gpu }
-- input { [4i64, 2i64, 3i64] } output { [406i64, 201i64, 303i64] }
entry main (ns: []i64) =
  map (\n -> let s = loop s = stack.new 0 for i < n do stack.push i s
             in stack.sum s + 100 * stack.size s)
      ns
