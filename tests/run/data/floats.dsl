-- Text data: a float beyond the range of its type is an infinity, in arguments and in expected values.

-- ==
-- entry: main
-- input { 1e5f16 -1e39f32 0x1p1024f64 } output { f16.inf -f32.inf f64.inf }
-- input { -65520 0x1p128 -1e999 } output { -f16.inf f32.inf -f64.inf }
-- input { 65519.99 3.4028235e38 1.7976931348623157e308 } output { 65504 3.4028235e38 1.7976931348623157e308 }
-- input { f16.inf f32.inf f64.inf } output { 1e5 1e39 1e999 }
entry main (a: f16) (b: f32) (c: f64): (f16, f32, f64) = (a, b, c)
