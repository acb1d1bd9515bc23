-- A parametric module is applied to a file.
-- ==
-- input { 2 }
-- output { 8 }

module quadruple (N: { type number val twice: number -> number }) = {
  def f (x: N.number): N.number = N.twice (N.twice x)
}

module q = quadruple (import "parts/numbers")

entry main (x: i32): i32 = q.f x
