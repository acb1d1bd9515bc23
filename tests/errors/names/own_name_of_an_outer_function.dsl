def next (x: i64): i64 = x + 1

module twice = {
  def next (x: i64): i64 = next (next x)
}

entry main (x: i64): i64 = twice.next x
