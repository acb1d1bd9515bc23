-- Long literals are data of the program. Literals of every type, which are the same in every call even if the
-- program overwrites them or evaluates them in a loop.
-- ==
-- entry: sums
-- input { 3i64 }
-- output { 276i64 276.0 276.0f32 true 23u8 }

-- ==
-- entry: overwritten
-- input { [0i64, 5i64, 0i64] }
-- output { [153i64, 148i64, 153i64] }

-- ==
-- entry: result
-- input { true }
-- output { [1i16, 2i16, 3i16, 4i16, 5i16, 6i16, 7i16, 8i16, 9i16, 10i16, 11i16, 12i16, 13i16, 14i16, 15i16, 16i16, -17i16] }
-- input { false }
-- output { [1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16, 1i16] }

-- ==
-- entry: rows
-- input { 1i64 }
-- output { [1.0f16, 2.0f16, 3.0f16, 4.0f16, 5.0f16, 6.0f16, 7.0f16, 8.0f16, 9.0f16, 10.0f16, 11.0f16, 12.0f16, 13.0f16,
--          14.0f16, 15.0f16, f16.inf, -0.0f16] }

entry sums (n: i64): (i64, f64, f32, bool, u8) =
  let whole = [0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
  let reals = [0f64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
  let single = [0f32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
  let bits = [true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
  let small = [0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
  in (i64.sum whole, f64.sum reals, f32.sum single, bits[n], u8.maximum small)

-- | The sums of a table in which one element is replaced by zero: each iteration has its own table.
entry overwritten [n] (zeros: [n]i64): [n]i64 =
  let sums = replicate n 0
  in loop sums for i < n do
       let table = [0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] with [zeros[i]] = 0
       in sums with [i] = i64.sum table

entry result (long: bool): [17]i16 =
  if long then [1i16, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -17]
  else [1i16, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

entry rows (i: i64): [17]f16 =
  let table = [[0f16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
               [1f16, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, f16.inf, -0]]
  in table[i]
