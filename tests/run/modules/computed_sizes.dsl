-- Sizes that are computed, in a parametric module and in a declared type.
-- ==
-- input { 2i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] 5i64 }

module sizes (P: { val f: i64 -> i64 }) = {
  def indices (n: i64): [P.f n]i64 = iota (P.f n)
  def same (n: i64) (xs: [P.f n]i64): [P.f n]i64 = map2 (\i x -> i - i + x) (indices n) xs
}

module s = sizes { def f (x: i64): i64 = 3 * x }

def next (n: i64): i64 = 2 * n + 1
type longer [n] = ([n]i64, [next n]i64)

def last_of [n] (p: longer [n]): i64 = length p.1

entry main (n: i64): ([]i64, i64) =
  (s.same n (s.indices n), last_of (iota n, iota (next n) :> [next n]i64))
