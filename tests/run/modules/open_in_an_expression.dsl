-- `m.(e)` is `e` with the names of the module, which shadow local names from outside but not from inside.
-- ==
-- input { 2.0 3 }
-- output { 3.0 13 4 8.0 }

module m = {
  type t = i32
  def k: i32 = 10
  def add (x: t): t = x + k
}

entry main (x: f64) (k: i32): (f64, i32, i32, f64) =
  let pi = 1.0
  in (f64.(sqrt (x + 7.0)), m.(add 3: t), m.(let k = k - 9 in k + 3), f64.(let pi = pi - pi in x ** 3 + pi))
