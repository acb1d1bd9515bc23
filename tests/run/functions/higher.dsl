-- Functions as arguments: partially applied, and capturing variables.
-- ==
-- input { 3i32 [1i32, 2i32] }
-- output { [9i32, 12i32] [5i32, 6i32] [2i32, 4i32] [7i32, 14i32] 10i32 }

def twice 'a (f: a -> a) (x: a): a = f (f x)

def scaled (factor: i32) (offset: i32) (x: i32): i32 = factor * (x + offset)

entry main [n] (k: i32) (xs: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32, i32) =
  let add_k x = x + k
  let seven = scaled 7 0
  in ( map (scaled k 2) xs
     , map (twice (\x -> x + k - 1)) xs
     , map (* 2) xs
     , map seven xs
     , twice add_k (k + 1)
     )
