-- Sets by hash tables. The size of a set is a parameter of its type; the size of the table is hidden in it.

module type key = { type ctx type key val (==): (ctx, key) -> (ctx, key) -> bool val hash: ctx -> key -> i64 }

module type hashset = {
  type k
  type ctx
  type~ set [n]
  val from_array [n]: ctx -> [n]k -> ?[m].set [m]
  val member [n]: ctx -> k -> set [n] -> bool
  val size [n]: set [n] -> i64
  val to_array [n]: set [n] -> [n]k
}

module mk_set (K: key): hashset with k = K.key with ctx = K.ctx = {
  type k = K.key
  type ctx = K.ctx
  type~ set [n] = ?[f].{keys: [n]k, table: [f]i64}
  def dedup [n] (ctx: ctx) (xs: [n]k): []k =
    let keep = map (\i -> all (\j -> j >= i || !(K.((ctx, xs[i]) == (ctx, xs[j])))) (iota n)) (iota n)
    in map (.0) (filter (.1) (zip xs keep))
  def from_array [n] (ctx: ctx) (xs: [n]k): ?[m].set [m] =
    let ys = dedup ctx xs
    let m = length ys
    let table = loop t = replicate (2 * m) (-1) for i < m do
      let h = loop h = K.hash ctx ys[i] % (2 * m) while t[h] >= 0 do (h + 1) % (2 * m)
      in t with [h] = i
    in {keys = ys, table}
  def member [n] (ctx: ctx) (x: k) (s: set [n]): bool = any (\i -> i >= 0 && K.((ctx, x) == (ctx, s.keys[i]))) s.table
  def size [n] (_: set [n]): i64 = n
  def to_array [n] (s: set [n]): [n]k = s.keys
}

module ints = mk_set {
  type ctx = ()
  type key = i64
  def (==) (_: (), a: i64) (_: (), b: i64) = a i64.== b
  def hash () (x: i64) = i64.abs (x * 2654435761)
}

-- ==
-- input { [3i64, 5, 3] } output { 2i64 true false [3i64, 5] }
entry main (xs: []i64) =
  let s = ints.from_array () xs
  in (ints.size s, ints.member () 5 s, ints.member () 4 s, ints.to_array s)
