-- A local declaration shadows another one of its name and is shadowed by a later one. Users of the module see
-- the one that is not local.

local def scale = 2i32
def doubled (x: i32) = x * scale

local def scale (x: i32) = x + doubled x
def tripled (x: i32) = scale x

def scale = 10i32

module m = {
  local def step = 1i32
  def first = step
  def step = first + scale
  local def step = step * 100
  def last = step
}

-- ==
-- input { 3 } output { 6 9 10 1 11 1100 }
entry main (x: i32): (i32, i32, i32, i32, i32, i32) =
  (doubled x, tripled x, scale, m.first, m.step, m.last)
