def sum (x: i64) (y: i64): i64 = x + y

module of_lists = {
  def sum (n: i64): i64 = if n == 0 then 0 else n + sum (n - 1)
}

entry main (n: i64): i64 = of_lists.sum n
