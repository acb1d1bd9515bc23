-- | The sum of the first n numbers of the one-dimensional Sobol sequence.
--
-- Every number is a multiple of 2^-32, so the multiples are added: exactly, in any order. The
-- mean of the first n numbers tends to 1/2.
-- ==
-- input { 1000 }
-- output { 499.7265625 }
-- input { 100000 }
-- output { 49999.330322265625 }
-- input { 0 }
-- output { 0.0 }

-- | Number i as a multiple of 2^-32. Bit t of the Gray code of i stands for 2^-(t+1): the number
-- is the Gray code with its bits in opposite order.
def sobol (i: u32): u32 =
  let gray = i ^ (i >> 1)
  let bit (t: i64) = (gray >> u32.i64 t & 1) << (31 - u32.i64 t)
  in reduce (|) 0 (map bit (iota 32))

entry main (n: i32): f64 =
  let multiples = i64.sum (map (\i -> i64.u32 (sobol (u32.i64 i))) (iota (i64.i32 n)))
  in f64.i64 multiples / 4294967296
