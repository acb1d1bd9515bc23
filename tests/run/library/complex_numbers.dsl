import "complex"

module c64 = mk_complex f64

def out (z: c64.complex): (f64, f64) = (c64.re z, c64.im z)

-- ==
-- entry: arithmetic
-- input { 3.0 4.0 1.0 -2.0 } output { 4.0 2.0 2.0 6.0 11.0 -2.0 -1.0 2.0 }
entry arithmetic (a: f64) (b: f64) (c: f64) (d: f64): (f64, f64, f64, f64, f64, f64, f64, f64) =
  let (x, y) = (c64.mk a b, c64.mk c d)
  let ((sr, si), (dr, di)) = (out (x c64.+ y), out (x c64.- y))
  let ((pr, pi), (qr, qi)) = (out (x c64.* y), out (x c64./ y))
  in (sr, si, dr, di, pr, pi, qr, qi)

-- A quotient whose naive formula would overflow.
-- ==
-- entry: large_quotient
-- input { 1e300 } output { 1.0 0.0 }
entry large_quotient (a: f64): (f64, f64) = out (c64.mk a a c64./ c64.mk a a)

-- ==
-- entry: roots
-- input { -4.0 0.0 } output { 0.0 2.0 }
-- input { -4.0 -0.0 } output { 0.0 -2.0 }
-- input { 3.0 4.0 } output { 2.0 1.0 }
-- input { 3.0 -4.0 } output { 2.0 -1.0 }
-- input { -3.0 -4.0 } output { 1.0 -2.0 }
-- input { 0.0 0.0 } output { 0.0 0.0 }
entry roots (a: f64) (b: f64): (f64, f64) = out (c64.sqrt (c64.mk a b))

-- ==
-- entry: polar
-- input { 3.0 4.0 } output { 5.0 0.9272952180016122 3.0 -4.0 }
entry polar (a: f64) (b: f64): (f64, f64, f64, f64) =
  let z = c64.mk a b
  let (cr, ci) = out (c64.conj z)
  in (c64.mag z, c64.arg z, cr, ci)

-- ==
-- entry: exponentials
-- input { 0.0 3.141592653589793 } output { -1.0 0.0 0.0 3.141592653589793 }
entry exponentials (a: f64) (b: f64): (f64, f64, f64, f64) =
  let e = c64.exp (c64.mk a b)
  let ((er, ei), (lr, li)) = (out e, out (c64.log e))
  in (er, ei, lr, li)

module c32 = mk_complex f32

-- ==
-- entry: single
-- input { [1f32, 2f32, 3f32] } output { 14f32 0f32 true }
entry single (xs: []f32): (f32, f32, bool) =
  let z = reduce (c32.+) c32.zero (map (\x -> c32.mk_im x c32.* c32.conj (c32.mk_im x)) xs)
  in (c32.re z, c32.im z, c32.i c32.* c32.i c32.== c32.neg c32.one)
