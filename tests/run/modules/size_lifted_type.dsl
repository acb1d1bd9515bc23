-- An abstract type that contains arrays of unknown size.
-- ==
-- input { [3, -1, 4] }
-- output { 7 2i64 0i64 }

module bag: {
  type~ t
  val positive [n]: [n]i32 -> t
  val sum: t -> i32
  val size: t -> i64
} = {
  type~ t = []i32
  def positive (xs: []i32): t = filter (> 0) xs
  def sum (xs: t): i32 = reduce (+) 0 xs
  def size (xs: t): i64 = length xs
}

entry main (xs: []i32): (i32, i64, i64) =
  let b = bag.positive xs
  let c = if bag.size b > 10 then b else bag.positive []
  in (bag.sum b, bag.size b, bag.size c)
