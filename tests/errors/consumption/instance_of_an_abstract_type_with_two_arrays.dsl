module P: {type t 'a val mk: i64 -> t ([3]i64,[3]i64) val eat: *t ([3]i64,[3]i64) -> i64} = {
  type t 'a = a
  def mk (n: i64): t ([3]i64,[3]i64) = let x = replicate 3 n in (x,x)
  def eat ((a,b): *t ([3]i64,[3]i64)) = let a = a with [0] = 99 in a[0] + 1000*b[0]
}
def main (n: i64) = P.eat (P.mk n)
