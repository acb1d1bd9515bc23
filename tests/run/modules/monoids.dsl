-- A small library: monoids of monoids.
-- ==
-- input { [1, 5, 3] }
-- output { 9 5 1 }

module type monoid = { type t val ne: t val op: t -> t -> t }

module pair (A: monoid) (B: monoid): monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def ne: t = (A.ne, B.ne)
  def op (x: t) (y: t): t = (A.op x.0 y.0, B.op x.1 y.1)
}

module add = { type t = i32 def ne: t = 0 def op (x: t) (y: t): t = x + y }
module max = { type t = i32 def ne: t = i32.lowest def op (x: t) (y: t): t = i32.max x y }
module min = { type t = i32 def ne: t = i32.highest def op (x: t) (y: t): t = i32.min x y }

module fold (M: monoid) = { def run [n] (xs: [n]M.t): M.t = reduce M.op M.ne xs }

module all = fold (pair add (pair max min))

entry main (xs: []i32): (i32, i32, i32) =
  let (a, (b, c)) = all.run (map (\x -> (x, (x, x))) xs)
  in (a, b, c)
