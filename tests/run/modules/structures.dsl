-- Nested modules: qualified names, and names of enclosing modules.
-- ==
-- input { 10 }
-- output { 11 12 32 }

def base: i32 = 1

module outer = {
  def up (x: i32): i32 = x + base
  def base: i32 = 2
  module inner = {
    def up (x: i32): i32 = x + base
    def twice (x: i32): i32 = x + x + up x
  }
}

entry main (x: i32): (i32, i32, i32) = (outer.up x, outer.inner.up x, outer.inner.twice x)
