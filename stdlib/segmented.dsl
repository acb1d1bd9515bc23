-- | Irregular arrays of arrays, kept flat: one array of all elements, and flags that are true
-- where a segment begins. The first element begins a segment whether it is flagged or not.
--
-- Source: Blelloch, Prefix Sums and Their Applications, in Synthesis of Parallel Algorithms (1990).

-- | An inclusive scan of each segment. The operator must be associative with `ne`
-- as its neutral element.
def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t): *[n]t =
  let join (starts_before: bool, before: t) (starts: bool, x: t): (bool, t) =
    (starts_before || starts, if starts then x else before `op` x)
  let (_, scanned) = unzip (scan join (false, ne) (zip flags xs))
  in scanned

-- | A reduction of each segment. The operator must be associative with `ne` as its
-- neutral element. The totals are the prefixes at the ends of segments.
def segmented_reduce [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t): *[]t =
  let ends = map (\i -> i == n - 1 || flags[i + 1]) (iota n)
  let (_, totals) = unzip (filter (\(end, _) -> end) (zip ends (segmented_scan op ne flags xs)))
  in totals

-- | Every index `i`, repeated `counts[i]` times: `replicated_iota [2, 0, 1]` is `[0, 0, 2]`.
-- Counts must not be negative.
def replicated_iota [n] (counts: [n]i64): *[]i64 =
  let ends = scan (+) 0 counts
  let total = if n == 0 then 0 else ends[n - 1]
  let begins = map2 (\end count -> if count > 0 then end - count else -1) ends counts
  in scan i64.max 0 (scatter (replicate total 0) begins (iota n))

-- | The position of every element in its segment: for flags `[true, false, false, true, false]`
-- it is `[0, 1, 2, 0, 1]`.
def segmented_iota [n] (flags: [n]bool): *[n]i64 =
  map (\x -> x - 1) (segmented_scan (+) 0 flags (replicate n 1))

-- | Every element `x` replaced by the `size x` elements `get x 0`, `get x 1`, …, all in one array.
def expand 'a 'b (size: a -> i64) (get: a -> i64 -> b) (xs: []a): *[]b =
  let counts = map size xs
  let owners = replicated_iota counts
  let begins = map2 (-) (scan (+) 0 counts) counts
  in map2 (\owner i -> get xs[owner] (i - begins[owner])) owners (indices owners)

-- | As `expand`, with the elements that come from one `x` combined. An `x` of size 0 gives nothing.
def expand_reduce 'a 'b (size: a -> i64) (get: a -> i64 -> b)
                        (op: b -> b -> b) (ne: b) (xs: []a): *[]b =
  let counts = map size xs
  let owners = replicated_iota counts
  let begins = map2 (-) (scan (+) 0 counts) counts
  let flags = map2 (\owner i -> i == begins[owner]) owners (indices owners)
  in segmented_reduce op ne flags
       (map2 (\owner i -> get xs[owner] (i - begins[owner])) owners (indices owners))

-- | As `expand_reduce`, with one result for every element: `ne` for an `x` of size 0.
def expand_outer_reduce [n] 'a 'b (size: a -> i64) (get: a -> i64 -> b)
                                  (op: b -> b -> b) (ne: b) (xs: [n]a): *[n]b =
  let [m] (filled: [m]i64) = filter (\i -> size xs[i] > 0) (iota n)
  let combined = expand_reduce (\i -> size xs[i]) (\i -> get xs[i]) op ne filled
  in scatter (replicate n ne) filled (combined :> [m]b)
