-- Each thread has private arrays whose sizes it computes: tables, slices and reshapes of them.
-- ==
-- entry: shapes
-- input { [2i64, 5i64, 0i64, 1i64, 30i64] [3i64, 2i64, 7i64, 1i64, 4i64] }
-- output { [224698i64, 105913i64, 0i64, 32i64, 146735i64] [529827i64, 651426i64, 0i64, 32i64, 278449i64] [700985i64, 487657i64, 0i64, 31i64, 367858i64] }
-- entry: parts
-- input { [2i64, 5i64, 1i64, 1i64, 30i64] [3i64, 2i64, 7i64, 1i64, 4i64] }
-- output { [100529i64, 4147i64, 412844i64, 32i64, 826412i64] [2786i64, 15556i64, 68i64, 32i64, 122955i64] [115679i64, 205953i64, 812832i64, 32i64, 549041i64] [426181i64, 233992i64, 826821i64, 1954i64, 697923i64] }
-- input { [2i64, 0i64] [3i64, 3i64] }
-- error: out of bounds
-- entry: turns
-- input { [1i64, 6i64, 100i64, 2i64] }
-- output { [93i64, 317697i64, 45945i64, 3466i64] }
-- entry: rows
-- input { 3i64 [1i64, 80i64, 2i64] }
-- output { [[0i64, 0i64, 0i64], [0i64, 1i64, 3i64], [0i64, 1i64, 0i64]] }

def table (a: i64) (b: i64): [a][b]i64 =
  loop t = replicate a (replicate b 0) for i < a * b do
    t with [i / b, i % b] = (i * i + a) % 97

def digest [n] (xs: [n]i64): i64 =
  loop sum = n for i < n do (sum * 31 + xs[i]) % 1000003

-- The array flattened, the array transposed and flattened, and the difference of both.
entry shapes (as: []i64) (bs: []i64) =
  unzip3 (map2 (\a b ->
                  let t = table a b
                  let across = flatten (transpose t)
                  let pairs = loop p = copy (flatten t) for i < a * b do p with [i] = p[i] - across[i]
                  in (digest (flatten t), digest across, digest pairs))
               as bs)

-- Rows, columns, every other element in reverse order, and a row that replaces another one.
entry parts (as: []i64) (bs: []i64) =
  unzip4 (map2 (\a b ->
                  let t = table a b
                  let row = copy t[a - 1]
                  let t[0] = row
                  let column = copy t[:, b - 1]
                  let odd = copy (flatten t)[::-2]
                  in (digest row, digest column, digest odd, digest (odd ++ column)))
               as bs)

-- Two arrays that are swapped in each iteration, and a branch that returns one of them.
entry turns (ns: []i64) =
  map (\n ->
         let (xs, ys) = loop (xs, ys) = (iota n, table n 1 |> flatten :> [n]i64) for i < 5 do
                          (ys, map2 (\x y -> (x * 3 + y + i) % 101) xs ys)
         in digest (if n % 2 == 0 then xs else ys))
      ns

-- Rows of the result have one size; they are computed from private arrays of several sizes.
entry rows (m: i64) (ns: []i64): [][m]i64 =
  map (\n ->
         let xs = loop xs = iota n for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]
         in map (\j -> xs[j % n]) (iota m))
      ns
