-- A module exports the names in its module type and hides the others.
-- ==
-- input { 5 }
-- output { 16 }

module type counter = {
  val step: i32 -> i32
  val start: i32
}

module m: counter = {
  def by: i32 = 10
  def start: i32 = 1
  def step (x: i32): i32 = x + by
}

def by: i32 = 0

entry main (x: i32): i32 = m.step x + m.start + by
