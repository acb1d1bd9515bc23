-- Points that are sorted before they are packed. Their values go back to the places of the source.

-- ==
-- entry: by_height by_width in_order
-- input { [3i64, 0, 5, 200, 100, 56, 1, 9, 0] [1i64, 2, 3, 4, 5, 6, 7, 0, 3] }
-- output { [19i64, 4i64, 2152i64, 100202i64, 49685i64, 28704i64, 858i64, 36i64, 9i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 0i64, 3i64] }
-- input { [3i64, 4] [0i64, 0] }
-- output { [3i64, 6i64] [0i64, 0i64] }
-- input { [3i64, 600, 5, 512, 513] [2i64, 1, 3, 1, 0] }
-- output { [115i64, 299237i64, 2152i64, 272750i64, 131328i64] [2i64, 1i64, 3i64, 1i64, 0i64] }
-- input { [600i64, 700] [1i64, 2] }
-- output { [299237i64, 349792i64] [1i64, 2i64] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) }
entry by_height [n] (ws: [n]i64) (ts: [n]i64): [n](i64, i64) =
  #[flattening(bins, by_height)] map2 (\w t ->
    let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i) % 1009) xs
    in (i64.sum xs + t * t, t)) ws ts

entry by_width [n] (ws: [n]i64) (ts: [n]i64): [n](i64, i64) =
  #[flattening(bins, by_width)] map2 (\w t ->
    let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i) % 1009) xs
    in (i64.sum xs + t * t, t)) ws ts

entry in_order [n] (ws: [n]i64) (ts: [n]i64): [n](i64, i64) =
  #[flattening(bins)] map2 (\w t ->
    let xs = loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i) % 1009) xs
    in (i64.sum xs + t * t, t)) ws ts

-- More points than are sorted together, many of them with the same key, and a sum of their values.

-- ==
-- entry: many
-- input { 1i64 }
-- output { 0i64 }
-- input { 1024i64 }
-- output { 248819487i64 }
-- input { 1025i64 }
-- output { 248839987i64 }
-- input { 3000i64 }
-- output { 2136685909i64 }
entry many (n: i64): i64 =
  let sums = #[flattening(bins, by_height)] map (\p ->
    let (w, t) = (p * 7 % 41, p * p % 5)
    in i64.sum (loop xs = map (* p) (iota w) for i < t do map (\k -> (xs[w - 1 - k] * 3 + i) % 1009) (iota w))) (iota n)
  in i64.sum (map2 (\s i -> s % 1009 * (i + 1)) sums (iota n))

-- ==
-- entry: total
-- input { [3i64, 0, 5, 200, 100, 700, 1, 9, 0] }
-- output { 26999i64 }
entry total [n] (ws: [n]i64): i64 =
  i64.sum (#[flattening(bins, by_width)] map2 (\w p -> p * i64.sum (scan i64.max i64.lowest (map (% 7) (iota w)))) ws (iota n))

-- Rows of the inputs, and rows of a point that depend on its size.

-- ==
-- entry: rows
-- input { [[4i64, 2, 3], [4, 5, 6], [600, 0, 1], [7, 7, 7]] [2i64, 0, 1, 2, 1] }
-- output { [107178i64, 131216i64, 144240i64, 427320i64] }
entry rows [n] [m] [k] (sizes: [n][m]i64) (table: [k]i64): [n]i64 =
  #[flattening(bins, by_height)] map (\row ->
    let (w, t) = (row[0], row[1])
    let past = replicate t 0
    let (xs, past) =
      loop (xs, past) = (map (\j -> row[j % m] * table[j % k]) (iota w), past) for i < t do
        let s = i64.sum xs
        in (map (\x -> (x + s) % 97 + row[2]) xs, past with [t - 1 - i] = s)
    in i64.sum xs + (if t > 0 then past[0] * 1000 + past[t - 1] else 0)) sizes

-- Widths that are no size: such points have no array.

-- ==
-- entry: absent
-- input { [3i64, -2, 4, 5, -100, 7, 600, 0, 512, 700] [5i64, 4, 3, -7, 3, 9, 2, 1, 0, 3] }
-- output { [42i64, -2i64, 40i64, 55i64, -100i64, 406i64, 107821200i64, 0i64, 66978304i64, 171257800i64] }
entry absent [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  #[flattening(bins)] map2 (\w t ->
    if w > 0 then i64.sum (loop xs = map (\i -> i * w + 1) (iota w) for i < t do map (\k -> xs[w - 1 - k] + i) (iota w)) else w) ws ts

-- Checks that fail in a point that fits no bin, and in others.

-- ==
-- entry: checked
-- input { [3i64, 600, 5] [2i64, 4, 3] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [3i64, 600, 5] [4i64, 3, 3] }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- input { [3i64, 600, 5] [2i64, 3, 3] }
-- output { [126i64, 33585i64, 365i64] }
entry checked [n] (ws: [n]i64) (ts: [n]i64): [n]i64 =
  let table = [5i64, 6, 7]
  in #[flattening(bins, by_height)] map2 (\w t ->
    i64.sum (loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x + s) % 97 + table[i]) xs)) ws ts

-- Numbers of rounds of another type than the widths.

-- ==
-- entry: short
-- input { [3i64, 0, 5, 600, 56, 4] [1i32, 2, 3, 1, 4, -1] }
-- output { [18i64, 0i64, 2143i64, 299236i64, 29530i64, 6i64] }
entry short [n] (ws: [n]i64) (ts: [n]i32): [n]i64 =
  #[flattening(bins, by_height)] map2 (\w t ->
    i64.sum (loop xs = iota w for i < t do let s = i64.sum xs in map (\x -> (x * 3 + s + i64.i32 i) % 1009) xs)) ws ts
