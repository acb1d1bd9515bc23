def trap 'a 'b 'c (f: a -> b) (x: a): c -> b =
  let r = f x
  in \_ -> r

def updated (f: i32 -> *[3]i32): ([3]i32, [3]i32) =
  let (xs, ys) = (f 1, f 2)
  in (xs with [0] = 5, ys)

entry main (x: i32): ([3]i32, [3]i32) = updated (\y -> trap (replicate 3) x y)
