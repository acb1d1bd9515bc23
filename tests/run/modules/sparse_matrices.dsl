-- Sparse matrices by rows, over any numbers: a type whose values have a size that it does not name.

module type ring = { type t val + : t -> t -> t val * : t -> t -> t val zero: t }

module mk_csr (T: ring) = {
  type~ mat [n][m] = ?[k].{row: [n]i64, vals: [k](i64, T.t), dummy: [m]()}
  def zero (n: i64) (m: i64): mat [n][m] = {row = replicate n 0, vals = [], dummy = replicate m ()}
  def eye (n: i64) (m: i64) (x: T.t): mat [n][m] =
    let e = i64.min n m
    in {row = map (\i -> i64.min i e) (iota n), vals = map (\i -> (i, x)) (iota e), dummy = replicate m ()}
  def dense [n][m] (c: mat [n][m]): [n][m]T.t =
    let len = length c.vals
    let ends = map (\i -> if i == n - 1 then len else c.row[i + 1]) (iota n)
    in map2 (\s e ->
              loop r = replicate m T.zero for j < e - s do
                let (k, v) = c.vals[s + j]
                in r with [k] = v)
            c.row ends
  def multiply [n][m] (c: mat [n][m]) (v: [m]T.t): [n]T.t =
    let len = length c.vals
    let ends = map (\i -> if i == n - 1 then len else c.row[i + 1]) (iota n)
    in map2 (\s e -> loop r = T.zero for j < e - s do let (k, x) = c.vals[s + j] in r T.+ x T.* v[k]) c.row ends
  def scale [n][m] (s: T.t) (c: mat [n][m]): mat [n][m] = c with vals = map (\(j, x) -> (j, s T.* x)) c.vals
  def nnz [n][m] (c: mat [n][m]): i64 = length c.vals
  def diag [n] (v: [n]T.t): mat [n][n] = {row = iota n, vals = zip (iota n) v, dummy = replicate n ()}
  def sparse [nnz] (n: i64) (m: i64) (coo: [nnz](i64, i64, T.t)): mat [n][m] =
    let counts = reduce_by_index (replicate n 0) (+) 0 (map (.0) coo) (replicate nnz 1)
    let row = map2 (-) (scan (+) 0 counts) counts
    in {row, vals = map (\(_, j, x) -> (j, x)) coo, dummy = replicate m ()}
}

module f = mk_csr { type t = f64 def (+) = (f64.+) def (*) = (f64.*) def zero = 0f64 }

-- ==
-- input { } output { [[2.0, 0.0], [0.0, 3.0]] [4.0, 9.0] 2i64 }
entry main =
  let c = f.sparse 2 2 [(0, 0, 1), (1, 1, 1.5)]
  let d = f.scale 2 c
  in (f.dense d, f.multiply d [2, 3], f.nnz d)
