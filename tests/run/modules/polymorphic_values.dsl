-- Polymorphic values of a parameter.
-- ==
-- input { [1, 2, 3] }
-- output { [3, 2, 1] [false, true, true] }

module both (M: { val f [n] 'a: [n]a -> [n]a }) = {
  def run [n] (xs: [n]i32): ([n]i32, [n]bool) = (M.f xs, M.f (map (> 1) xs))
}

module m = both { def f [n] 'b (xs: [n]b): [n]b = reverse xs }
module k = both { def f 'b (xs: b): b = xs }

entry main [n] (xs: [n]i32): ([n]i32, [n]bool) = ((m.run xs).0, (k.run xs).1)
