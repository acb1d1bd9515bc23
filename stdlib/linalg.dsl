-- | Dense linear algebra over any real number type. Matrices are arrays of rows.
--
-- Source of the factorisations: Golub and Van Loan, Matrix Computations, 4th edition (2013),
-- algorithms 3.4.1 (LU), 4.2.1 (Cholesky) and 4.3.6 (tridiagonal systems).

-- | The functions of numbers that linear algebra needs.
module type field = {
  -- | The type of the numbers.
  type t
  -- | The i32 as a `t`.
  val i32: i32 -> t
  -- | The number with the opposite sign.
  val neg: t -> t
  -- | The absolute value.
  val abs: t -> t
  -- | The square root.
  val sqrt: t -> t
  -- | The sum.
  val (+): t -> t -> t
  -- | The difference.
  val (-): t -> t -> t
  -- | The product.
  val (*): t -> t -> t
  -- | The quotient.
  val (/): t -> t -> t
  -- | Is the first less than the second?
  val (<): t -> t -> bool
}

-- | Linear algebra over the numbers `T.t`. (A number of an abstract type might share memory with the
-- array that is updated. A `copy` of the number rules this out, and costs nothing.)
module mk_linalg (T: field) = {
  -- | The type of the numbers.
  type t = T.t

  local def zero: t = T.i32 0
  local def one: t = T.i32 1

  -- | The scalar product.
  def dot [n] (xs: [n]t) (ys: [n]t): t = reduce (T.+) zero (map2 (T.*) xs ys)

  -- | The outer product: element `[i][j]` is `xs[i] * ys[j]`.
  def outer [n] [m] (xs: [n]t) (ys: [m]t): *[n][m]t = map (\x -> map (\y -> x T.* y) ys) xs

  -- | The product of a matrix and a vector.
  def matvecmul [n] [m] (a: [n][m]t) (x: [m]t): *[n]t = map (dot x) a

  -- | The product of two matrices.
  def matmul [n] [m] [p] (a: [n][m]t) (b: [m][p]t): *[n][p]t =
    map (\row -> map (dot row) (transpose b)) a

  -- | Ones on the diagonal, zeros elsewhere.
  def identity (n: i64): *[n][n]t = tabulate_2d n n (\i j -> if i == j then one else zero)

  -- | The LU factors of the matrix with its rows exchanged for stability, and the order of the rows: if this is `rows`,
  -- row `rows[i]` of `a` is row `i` of the product of L and U. The first result has L below its diagonal (the
  -- diagonal of L is all ones), and U on and above it. A singular
  -- matrix gives a zero on the diagonal.
  def lu [n] (a: [n][n]t): (*[n][n]t, *[n]i64) =
    loop (a: [n][n]t, rows) = (copy a, iota n) for k < n do
      let larger (x: t, i: i64) (y: t, j: i64): (t, i64) =
        if x T.< y || (!(y T.< x) && j < i) then (y, j) else (x, i)
      let candidates = map (\i -> if i < k then (T.neg one, i) else (T.abs a[i, k], i)) (iota n)
      let (_, pivot) = reduce larger (T.neg one, n) candidates
      let source i = if i == k then pivot else if i == pivot then k else i
      let rows = map (\i -> rows[source i]) (iota n)
      let a = map (\i -> copy a[source i]) (iota n)
      let diagonal = a[k, k]
      let eliminate i j =
        if i <= k || j < k then a[i, j]
        else let factor = a[i, k] T./ diagonal
             in if j == k then factor else a[i, j] T.- (factor T.* a[k, j])
      in (if zero T.< T.abs diagonal then tabulate_2d n n eliminate else a, rows)

  -- | Solves `a x = b` by `lu`.
  def solve [n] (a: [n][n]t) (b: [n]t): *[n]t =
    let (factors, rows) = lu a
    let forward =
      loop y = map (\i -> b[i]) rows for i < n do
        let known = reduce (T.+) zero (map (\j -> if j < i then factors[i, j] T.* y[j] else zero) (iota n))
        in y with [i] = copy (y[i] T.- known)
    in loop x = forward for k < n do
         let i = n - 1 - k
         let known = reduce (T.+) zero (map (\j -> if j > i then factors[i, j] T.* x[j] else zero) (iota n))
         in x with [i] = copy ((x[i] T.- known) T./ factors[i, i])

  -- | The inverse.
  def inv [n] (a: [n][n]t): *[n][n]t = transpose (map (solve a) (identity n))

  -- | The determinant.
  def det [n] (a: [n][n]t): t =
    let (factors, rows) = lu a
    let exchanges =
      reduce (+) 0 (map (\i -> i64.sum (map (\j -> i64.bool (j > i && rows[j] < rows[i])) (iota n)))
                        (iota n))
    let product = reduce (T.*) one (map (\i -> factors[i, i]) (iota n))
    in if exchanges % 2 == 0 then product else T.neg product

  -- | The lower factor L of a symmetric positive definite matrix, `a = L L^T`; its upper half is
  -- zero. Only the lower half of `a` is read.
  def cholesky [n] (a: [n][n]t): *[n][n]t =
    loop l = tabulate_2d n n (\i j -> if j <= i then a[i, j] else zero) for k < n do
      let root = T.sqrt l[k, k]
      let column = map (\i -> if i < k then zero else if i == k then root else l[i, k] T./ root) (iota n)
      let update i j =
        if j == k then (if i < k then l[i, j] else column[i])
        else if k < j && j <= i then l[i, j] T.- (column[i] T.* column[j])
        else l[i, j]
      in tabulate_2d n n update

  -- | Solves a tridiagonal system by elimination without row exchanges: row `i` of the matrix has
  -- `below[i]`, `diagonal[i]`, `above[i]` in columns `i-1`, `i`, `i+1`. `below[0]` and the last of
  -- `above` are not read.
  def tridiagonal [n] (below: [n]t) (diagonal: [n]t) (above: [n]t) (b: [n]t): *[n]t =
    let (pivots, y) =
      loop (pivots, y) = (copy diagonal, copy b) for k < n - 1 do
        let factor = below[k + 1] T./ pivots[k]
        let pivot = copy (pivots[k + 1] T.- (factor T.* above[k]))
        let value = copy (y[k + 1] T.- (factor T.* y[k]))
        in (pivots with [k + 1] = pivot, y with [k + 1] = value)
    in loop x = y for k < n do
         let i = n - 1 - k
         let known = if i == n - 1 then zero else above[i] T.* x[i + 1]
         in x with [i] = copy ((x[i] T.- known) T./ pivots[i])
}
