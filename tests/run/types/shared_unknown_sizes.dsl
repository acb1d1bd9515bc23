-- An abbreviation that states that two arrays have the same unknown size states it wherever it is used: also
-- through other abbreviations, modules and patterns.
-- ==
-- entry: split
-- input { [1, -2, 3] } output { [4, 4, 24] }

-- ==
-- entry: sparse
-- input { [0, 5, 0, 7] } output { [0, 10, 0, 14] 12 }

type~ pairs = ?[k].([k]i32, [k]i32)
type~ pairs' = pairs

def both (xs: []i32): pairs = (map (+ 1) xs, map (* 2) xs)
def scaled (p: pairs'): pairs' = let [k] (xs: [k]i32, ys: [k]i32) = p in (map2 (*) xs ys, ys)

entry split (xs: []i32): []i32 = (scaled (both xs)).0

module type vectors = {
  type~ vector [n]
  module ops: {
    type~ vec [n]
    val sparse [n]: [n]i32 -> vec [n]
    val dense [n]: vec [n] -> [n]i32
    val scale [n]: i32 -> vec [n] -> vec [n]
  } with vec [n] = vector [n]
  val sum [n]: vector [n] -> i32
}

module vectors: vectors = {
  module ops = {
    type~ vec [n] = ?[k].{size: [n](), at: [k]i64, values: [k]i32}
    def sparse [n] (xs: [n]i32): vec [n] =
      let (at, values) = unzip (filter (\(_, x) -> x != 0) (zip (iota n) xs))
      in {size = replicate n (), at, values}
    def dense [n] ({size = _, at, values}: vec [n]): [n]i32 = scatter (replicate n 0) at values
    def scale [n] (by: i32) (v: vec [n]): vec [n] =
      let [k] {size, at: [k]i64, values: [k]i32} = v
      in {size, at, values = map2 (\_ x -> by * x) at values}
  }
  type~ vector [n] = ops.vec [n]
  def sum [n] (v: vector [n]): i32 = i32.sum v.values
}

entry sparse (xs: []i32): ([]i32, i32) =
  let v = vectors.ops.sparse xs
  in (vectors.ops.(dense (scale 2 v)), vectors.sum v)
