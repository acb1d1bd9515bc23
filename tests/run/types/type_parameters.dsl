-- Abbreviations with type parameters, also lifted ones.
-- ==
-- input { [1, 2, 3] 4i64 }
-- output { [1, 2, 3] [2, 4, 6] 12 5i64 }

type both 'a = (a, a)
type two_vectors [n] 'a = both ([n]a)
type^ operator '^a = a -> a -> a
type^ change 'a 'b = a -> b

def vectors [n] (xs: [n]i32): two_vectors [n] i32 = (xs, map (* 2) xs)

def fold (op: operator i32) (xs: []i32): i32 = reduce op 0 xs

def apply 'a 'b (f: change a b) (x: a): b = f x

entry main [n] (xs: [n]i32) (k: i64): ([n]i32, [n]i32, i32, i64) =
  let (a, b) = vectors xs
  in (a, b, fold (+) b, apply (+ 1) k)
