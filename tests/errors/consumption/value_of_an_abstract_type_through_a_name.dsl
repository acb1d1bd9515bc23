module arrays: {
  type two [n]
  val make: (n: i64) -> two [n]
  val all [n]: two [n] -> i64
  val reset [n]: *two [n] -> *two [n]
} = {
  type two [n] = ([n]i64, [n]i64)
  def make (n: i64): two [n] = let xs = iota n in (xs, xs)
  def all [n] ((xs, ys): two [n]) = i64.sum xs + i64.sum ys
  def reset [n] ((xs, ys): *two [n]): *two [n] = (xs with [0] = 0, ys with [0] = 0)
}

def reset (n: i64) =
  let make = arrays.make
  in arrays.reset (n |> make)
