-- An abstract type in a type argument of a result has the sizes of its first use in a parameter. Where they differ, an
-- operation that needs equal sizes fails.
-- ==
-- entry: table
-- input { } output { [2i64, 2] }
-- entry: rows
-- input { [true, false] [false, false] } output { [[true, false], [false, false]] }
-- entry: sums
-- input { [1, 2, 3] [10, 20, 30] } output { [11, 22, 33] }
-- entry: unlike
-- input { [1, 2] } output { [2, 4] }
-- input { [1, 2, 3] } error: .

module type boxes = {
  type key
  type box 'a
  val wrap: key -> box key
  val unwrap 'a: box a -> a
}

module boxes_of (K: {type~ key}): boxes with key = K.key = {
  type~ key = K.key
  type box 'a = (i32, a)
  def wrap (key: key) = (1i32, key)
  def unwrap 'a (box: box a) = box.1
}

module bools = boxes_of {type~ key = ?[k].[k]bool}
module ints = boxes_of {type~ key = ?[k].[k]i32}

entry table = map (\box -> length (bools.unwrap box)) [bools.wrap [true, false], bools.wrap [false, true]]

entry rows [n] (xs: [n]bool) (ys: [n]bool): [][]bool = map bools.unwrap [bools.wrap xs, bools.wrap ys]

entry sums [n] (xs: [n]i32) (ys: [n]i32): []i32 =
  map2 (+) (ints.unwrap (ints.wrap xs)) (ints.unwrap (ints.wrap ys))

-- The result has another size than the parameter, for all that the module type says.
module resized (K: {type~ key val resize: key -> key}): {
  type box 'a
  val wrap: K.key -> box K.key
  val unwrap 'a: box a -> a
} = {
  type box 'a = (i32, a)
  def wrap (key: K.key) = (1i32, K.resize key)
  def unwrap 'a (box: box a) = box.1
}

module cut = resized {type~ key = ?[k].[k]i32 def resize (xs: []i32) = xs[:2]}

entry unlike [n] (xs: [n]i32): []i32 = map2 (+) xs (cut.unwrap (cut.wrap xs))
