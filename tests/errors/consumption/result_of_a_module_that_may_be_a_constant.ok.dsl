def table: [10]i64 = iota 10

def first [n]: [n]i64 = table[:n]

module tables: {
  val up_to: (n: i64) -> [n]i64
} = {
  def up_to (n: i64): [n]i64 = copy first
}

def set (n: i64): []i64 = tables.up_to n with [0] = 5
