-- A parametric module with a module type for its result.
-- ==
-- input { [3, 1, 2] }
-- output { 6 2i64 }

module type monoid = { type t val zero: t val plus: t -> t -> t }
module type folder = { type t type u val fold [n]: [n]t -> u val show: u -> t }

module mk_folder (M: monoid): folder with t = M.t = {
  type t = M.t
  type u = (M.t, i64)
  def fold [n] (xs: [n]t): u = (reduce M.plus M.zero xs, n)
  def show (x: u): t = x.0
}

module sums = mk_folder { type t = i32 def zero: t = 0 def plus (x: t) (y: t): t = x + y }
module counts = mk_folder { type t = i64 def zero: t = 0 def plus (x: t) (y: t): t = 1 + i64.max x y }

entry main (xs: []i32): (i32, i64) =
  (sums.show (sums.fold xs), i64.min 2 (counts.show (counts.fold (iota 2))))
