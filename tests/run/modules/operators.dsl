-- Operators of modules.
-- ==
-- input { 7 2 }
-- output { 72 72 5 79 }

module m = {
  def (<+>) (x: i32) (y: i32): i32 = 10 * x + y
  def (-) (x: i32) (y: i32): i32 = 0
}

entry main (x: i32) (y: i32): (i32, i32, i32, i32) =
  (x m.<+> y, m.(x <+> y), x - y, x m.<+> (m.(x - y) + 9))
