-- A recursive function of a parametric module calls its own copy.
-- ==
-- tags { no_gpu }
-- input { 5i64 }
-- output { 120i64 15i64 }

module fold (M: { val op: i64 -> i64 -> i64 }) = {
  def down (k: i64): i64 = if k <= 1 then 1 else M.op k (down (k - 1))
}

module product = fold { def op (x: i64) (y: i64): i64 = x * y }
module sum = fold { def op (x: i64) (y: i64): i64 = x + y }

entry main (k: i64): (i64, i64) = (product.down k, sum.down k)
