-- The types of the modules are the primitive types, under their names and the modules' own.
-- ==
-- input { 2i8 3u64 0.5f32 true }
-- output { 3i8 4u64 1056964608u32 1.0f32 1i32 }

module flags (P: from_prim) = { def of (b: bool): P.t = P.bool b }
module as_i32 = flags i32
module as_bool = flags bool

def next (x: i8.t): i8 = x + 1

entry main (a: i8) (b: u64.t) (c: f32.t) (d: bool.t): (i8, u64, f32.int_t, f32, i32) =
  (next a, b + 1, f32.to_bits c, c + c, as_i32.of (as_bool.of d))
