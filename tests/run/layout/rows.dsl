-- Threads that go through a row each. For a GPU, `layout` transposes what they read (`coalesce-reads`), and interleaves
-- the rows that they make (`coalesce-results`).

def matrix (n: i64) (m: i64): [n][m]i64 =
  map (\i -> map (\j -> (i * 31 + j * 17 + 5) % 101) (iota m)) (iota n)

def checksum [n] [m] (xss: [n][m]i64): i64 =
  loop s = 7 for i < n do
    loop s for j < m do (s * 3 + xss[i, j] + j) % 1000003

def checksum_1d [n] (xs: [n]i64): i64 = loop s = 7 for x in xs do (s * 3 + x) % 1000003

-- A parameter that is read by rows.

-- ==
-- entry: read
-- input { [[1i64, 2, 3, 4, 5], [6, 7, 8, 9, 10]] }
-- output { [57i64, 212] }
-- input { empty([0][5]i64) }
-- output { empty([0]i64) }
-- input { empty([3][0]i64) }
-- output { [0i64, 0, 0] }
entry read [n] [m] (xss: [n][m]i64): [n]i64 =
  map (\xs -> loop s = 0 for j < m do (s * 2 + xs[j]) % 1000003) xss

-- ==
-- entry: checked_read
-- input { 0i64 5i64 } output { 7i64 }
-- input { 3i64 0i64 } output { 189i64 }
-- input { 1i64 1i64 } output { 26i64 }
-- input { 1i64 70i64 } output { 244587i64 }
-- input { 31i64 33i64 } output { 196287i64 }
-- input { 64i64 32i64 } output { 864260i64 }
-- input { 97i64 101i64 } output { 768686i64 }
-- input { 300i64 7i64 } output { 250500i64 }
-- input { 257i64 64i64 } output { 852351i64 }
entry checked_read (n: i64) (m: i64): i64 = checksum_1d (read (matrix n m))

-- Rows that depend on themselves, as results.

-- ==
-- entry: made
-- input { 2i64 3i64 }
-- output { [[1i64, 3, 8], [4, 12, 29]] }
entry made (n: i64) (m: i64): [n][m]i64 =
  map (\i ->
    loop ys = replicate m 0 for j < m do
      let before = if j > 0 then ys[j - 1] * 2 else 1
      in ys with [j] = (i * 3 + j + before) % 1009) (iota n)

-- ==
-- entry: checked_made
-- input { 0i64 5i64 } output { 7i64 }
-- input { 3i64 0i64 } output { 7i64 }
-- input { 1i64 1i64 } output { 22i64 }
-- input { 1i64 70i64 } output { 231184i64 }
-- input { 31i64 33i64 } output { 644608i64 }
-- input { 64i64 32i64 } output { 963558i64 }
-- input { 97i64 101i64 } output { 754607i64 }
-- input { 300i64 7i64 } output { 179368i64 }
-- input { 257i64 64i64 } output { 629542i64 }
entry checked_made (n: i64) (m: i64): i64 = checksum (made n m)

-- The rows are transposed, so that the memory of the rows is that of the result.

-- ==
-- entry: checked_turned
-- input { 0i64 5i64 } output { 7i64 }
-- input { 3i64 0i64 } output { 7i64 }
-- input { 1i64 1i64 } output { 22i64 }
-- input { 1i64 70i64 } output { 743259i64 }
-- input { 31i64 33i64 } output { 570197i64 }
-- input { 64i64 32i64 } output { 310902i64 }
-- input { 97i64 101i64 } output { 196739i64 }
-- input { 300i64 7i64 } output { 187146i64 }
-- input { 257i64 64i64 } output { 600085i64 }
entry checked_turned (n: i64) (m: i64): i64 = checksum (transpose (made n m))

-- Rows, then elements, then rows again: only the result that is returned too is transposed.

-- ==
-- entry: checked_chain
-- input { 0i64 5i64 } output { 7i64 7i64 }
-- input { 3i64 0i64 } output { 189i64 7i64 }
-- input { 1i64 1i64 } output { 24i64 24i64 }
-- input { 1i64 70i64 } output { 321786i64 287434i64 }
-- input { 31i64 33i64 } output { 462898i64 396464i64 }
-- input { 64i64 32i64 } output { 254325i64 153865i64 }
-- input { 97i64 101i64 } output { 833295i64 746375i64 }
-- input { 300i64 7i64 } output { 336522i64 43618i64 }
-- input { 257i64 64i64 } output { 671507i64 905190i64 }
entry checked_chain (n: i64) (m: i64): (i64, i64) =
  let xss = map (map (\x -> 2 * x + 1)) (made n m)
  in (checksum_1d (read xss), checksum xss)

-- A loop of the host reads the same matrix by rows: it is transposed once.

-- ==
-- entry: checked_repeated
-- input { 0i64 5i64 4i64 } output { 7i64 }
-- input { 3i64 0i64 4i64 } output { 202i64 }
-- input { 1i64 1i64 4i64 } output { 123i64 }
-- input { 1i64 70i64 4i64 } output { 708105i64 }
-- input { 31i64 33i64 4i64 } output { 487495i64 }
-- input { 64i64 32i64 4i64 } output { 402931i64 }
-- input { 97i64 101i64 4i64 } output { 934305i64 }
-- input { 300i64 7i64 4i64 } output { 773958i64 }
-- input { 257i64 64i64 4i64 } output { 541564i64 }
entry checked_repeated (n: i64) (m: i64) (k: i64): i64 =
  let xss = matrix n m
  in checksum_1d (loop ss = replicate n 1 for i < k do
       map2 (\s xs -> loop s for j < m do (s * 2 + xs[j] + i) % 1000003) ss xss)
