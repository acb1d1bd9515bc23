-- A type of a module type may be refined to one with existential sizes. Every value then has its own size.
module type encoder = {
  type t
  type u
  val count : t -> i64
  val get : i64 -> t -> u
  val both : t -> t -> u
  val twice : t -> t
}

module mk_encoder (U: integral) (I: integral): encoder with t = []I.t with u = U.t = {
  type~ t = ?[n].[n]I.t
  type u = U.t
  def count (ts: t) = length ts
  def get i (ts: t) = if i < length ts then U.i64 (I.to_i64 ts[i]) else U.i64 0
  def both (a: t) (b: t) = U.(get 0 a + get 0 b)
  def twice (ts: t): t = ts ++ ts
}

-- Also if the parametric module is applied to some of its arguments only.
module mk_wide = mk_encoder u64
module narrow = mk_wide u8

-- ==
-- entry: sizes
-- input { [1u8, 2u8, 3u8] [40u8] }
-- output { 3i64 1i64 41u64 6i64 2u64 }
entry sizes xs ys =
  let zs = narrow.twice xs
  in (narrow.count xs, narrow.count ys, narrow.both xs ys, length zs, narrow.get 4 zs)

-- A refined parameter also takes arrays of any sizes.
module type ordered = {
  type key
  type context
  val (<=) : (context, key) -> (context, key) -> bool
}

module mk_slices (K: {type t val (<=) : t -> t -> bool}) (E: encoder with t = []K.t with u = u64)
  : ordered with key = (i64, i64) with context = []K.t = {
  type key = (i64, i64)
  type~ context = ?[n].[n]K.t
  def (<=) (xs: context, x: key) (ys: context, y: key) =
    let a = xs[x.0:x.1]
    let b = ys[y.0:y.1]
    in if E.count a == E.count b then E.get 0 a u64.<= E.get 0 b else E.count a i64.<= E.count b
}

module slices = mk_slices i64 (mk_encoder u64 i64)

-- ==
-- entry: ordered
-- input { [1i64, 2i64, 3i64] [5i64, 0i64] }
-- output { [false, true, true] }
entry ordered [n] [m] (xs: [n]i64) (ys: [m]i64) =
  [ (xs, (0, 2)) slices.<= (ys, (1, 2))
  , (xs, (0, 2)) slices.<= (ys, (0, 2))
  , (xs, (1, 2)) slices.<= (xs, (0, 3))
  ]
