def table: [10]i64 = iota 10

def first [n]: [n]i64 = table[:n]

def set (n: i64): []i64 =
  let xs = copy first : [n]i64
  in xs with [0] = 5
