-- Values of abstract types pass through branches, loops, arrays and functions.
-- ==
-- input { 3 }
-- output { 19 [0, 2, 4] }

module m: {
  type t
  val zero: t
  val next: t -> t
  val get: t -> i32
} = {
  type t = (i32, [2]i32)
  def zero: t = (0, [0, 0])
  def next (x: t): t = (x.0 + 1, map (+ 2) x.1)
  def get (x: t): i32 = x.0 + x.1[0]
}

def twice 'a (f: a -> a) (x: a): a = f (f x)

entry main (n: i32): (i32, [3]i32) =
  let x = loop x = m.zero for i < n do m.next x
  let y = if n > 2 then twice m.next x else m.zero
  let z = if n > 9 then y else m.next y
  let zs = map (\i -> if i == 0 then m.zero else if i == 1 then m.next m.zero else m.next (m.next m.zero)) (iota 3)
  in (m.get z + 1, map (\z -> m.get z * 2 / 3) zs)
