module m: {
  type t [n]
  val both: (n: i64) -> (t [n], [n]i32)
  val get [n]: t [n] -> i32
} = {
  type t [n] = [n]i32
  def both (n: i64): ([n]i32, [n]i32) = let xs = replicate n 1i32 in (xs, xs)
  def get [n] (x: [n]i32) = x[0]
}

def main (n: i64) =
  let (t, xs) = m.both n
  let ys = xs with [0] = 7
  in m.get (m.both n).0 + ys[0]
