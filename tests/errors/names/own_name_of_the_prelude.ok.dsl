def size [n] (xs: [n]i32): i64 = if n == 0 then 0 else 1 + size (tail xs)

module numbers = {
  def upto (n: i32): []i32 = if n == 0 then [] else upto (n - 1) ++ [n]
}
