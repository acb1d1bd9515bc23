-- Imported names shadow earlier names, and are shadowed by names that the file defines.
-- ==
-- input { 2 }
-- output { 5 3 }

def three: i32 = 30
module m = {
  import "parts/numbers"
  def four: i32 = three + 1
}
local open import "parts/numbers"
def twice (x: i32): i32 = x + 1

entry main (x: i32): (i32, i32) = (m.four + 1, twice x)
