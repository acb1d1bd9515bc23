-- | Arrays of segments: consecutive parts of an array that are worked on apart.

-- | Scans each segment. One begins at every flag that is true, and at the first element.
def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (as: [n]t): *[n]t =
  let join (a_begins: bool, a: t) (b_begins: bool, b: t) =
    (a_begins || b_begins, if b_begins then b else op a b)
  in map (\pair -> pair.1) (scan join (false, ne) (zip flags as))

-- | Reduces each segment. One begins at every flag that is true, and at the first element.
def segmented_reduce [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (as: [n]t): *[]t =
  let ends = map (\i -> i == n - 1 || flags[i + 1]) (iota n)
  let numbers = scan (+) 0 (map i64.bool ends)
  let count = if n > 0 then numbers[n - 1] else 0
  let places = map2 (\is_end number -> if is_end then number - 1 else -1) ends numbers
  in scatter (replicate count ne) places (segmented_scan op ne flags as)

-- | Every index of `reps` as often as the number there says.
def replicated_iota [n] (reps: [n]i64): *[]i64 =
  let ends = scan (+) 0 reps
  let count = if n > 0 then ends[n - 1] else 0
  let places = map2 (\end rep -> if rep > 0 then end - rep else -1) ends reps
  in scan i64.max 0 (scatter (replicate count 0) places (iota n))

-- | Makes `size x` elements `get x 0`, `get x 1`, … of every element `x`, and puts them one behind the
-- other.
def expand [n] 'a 'b (size: a -> i64) (get: a -> i64 -> b) (as: [n]a): *[]b =
  let sizes = map size as
  let begins = map2 (-) (scan (+) 0 sizes) sizes
  let owners = replicated_iota sizes
  in map2 (\owner at -> get as[owner] (at - begins[owner])) owners (indices owners)
