-- | Arguments for the entry points `nested_determinants`, `kmeans` and `letters` of tests/run/bins/sizes.dsl, for `n` points each.

-- | A number below `limit` for each index.
def random (seed: i64) (limit: i64) (i: i64): i64 =
  ((((i + seed) * 6364136223846793005 + 1442695040888963407) >> 33) & 0x3fffffff) % limit

-- | Where arrays of these sizes begin if they lie one after the other, and the number of their elements.
def starts_and_total [n] (sizes: [n]i64): ([n]i64, i64) =
  (map2 (-) (scan (+) 0 sizes) sizes, i64.sum sizes)

-- | Matrices of 4 to 32 rows.
entry nested_determinants (n: i64): ([n]i64, []f64) =
  let sizes = map (\i -> 4 + random 1 29 i) (iota n)
  let total = i64.sum (map (\w -> w * w) sizes)
  in (sizes, map (\i -> 0.5 + f64.i64 (random 2 1000 i) / 1000) (iota total))

-- | Sets of 10 to 200 numbers, of 2 to 8 clusters.
entry kmeans (n: i64): ([n]i64, [n]i64, [n]i64, []f64) =
  let sizes = map (\i -> 10 + random 1 191 i) (iota n)
  let (starts, total) = starts_and_total sizes
  in (starts, sizes, map (\i -> 2 + random 3 7 i) (iota n), map (\i -> f64.i64 (random 2 40000 i) / 1000) (iota total))

-- | Words of 3 to 60 letters.
entry letters (n: i64): ([n]i64, [n]i64, []u8) =
  let lengths = map (\i -> 3 + random 1 58 i) (iota n)
  let (starts, total) = starts_and_total lengths
  in (starts, lengths, map (\i -> 'a' + u8.i64 (random 2 26 i)) (iota total))
