-- In the types of entry points, abstract types are replaced by their definitions.
-- ==
-- input { [1, 2] }
-- output { [2, 4] }

module m: { type t [n] val double [n]: t [n] -> t [n] } = {
  type t [n] = [n]i32
  def double [n] (xs: t [n]): t [n] = map (* 2) xs
}

entry main [n] (xs: m.t [n]): m.t [n] = m.double xs
