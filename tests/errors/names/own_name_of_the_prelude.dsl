def length [n] (xs: [n]i32): i64 = if n == 0 then 0 else 1 + length (tail xs)

module numbers = {
  def iota (n: i32): []i32 = if n == 0 then [] else iota (n - 1) ++ [n]
}
