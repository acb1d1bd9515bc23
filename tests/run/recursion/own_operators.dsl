-- In the definition of an operator that is built in or defined by the prelude, the operator keeps that meaning.
-- ==
-- entry: wide
-- input { 18446744073709551615u64 } output { 1u64 18446744073709551614u64 true false 12u64 }
module u128 = {
  type t = {high: u64, low: u64}
  def low (a: t) = a.low
  def high (a: t) = a.high
  def (&) (a: t) (b: t): t = {high = high a & high b, low = low a & low b}
  def (+) (a: t) (b: t): t =
    let lo = low a + low b
    in {high = high a + high b + u64.bool (lo < low a), low = lo}
  def (>=) (a: t) (b: t): bool = high a > high b || (high a == high b && low a >= low b)
  def (==) (a: t) (b: t): bool = high a == high b && low a == low b
  def (<) (a: t) (b: t) = !(a >= b)
}
entry wide (x: u64) =
  let a = {high = 0u64, low = x}
  let b = a u128.+ a
  in (b.high, b.low, b u128.>= a, b u128.== a, (b u128.& {high = 0, low = 13}).low)

-- ==
-- entry: lists
-- input { [1, 2] [3] } output { [1, 2, 3] 3i64 true }
module list = {
  type list [n] = {data: [n]i32, size: i64}
  def (++) [n] [m] (a: list [n]) (b: list [m]): list [n + m] = {data = a.data ++ b.data, size = a.size + b.size}
  def (==) [n] (a: list [n]) (b: list [n]) = a.size == b.size && a.data == b.data
}
entry lists [n] [m] (xs: [n]i32) (ys: [m]i32) =
  let both = {data = xs, size = n} list.++ {data = ys, size = m}
  in (both.data, both.size, both list.== both)

-- ==
-- entry: counted
-- input { [5, 6, 7] } output { 38i32 }
def (|>) 'a 'b (x: a) (f: a -> b): (b, i32) = (x |> f, 1)
entry counted (xs: []i32) = let (sum, calls) = xs |> i32.sum in 2 * sum + calls + calls
