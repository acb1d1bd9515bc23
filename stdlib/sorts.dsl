-- | Sorting. All sorts here are stable: elements that are equal keep their order.

-- | The number of bits of a digit, by which one round of `radix_sort` sorts, and the number of values of a digit.
local def digit_bits: i32 = 4
local def digit_values: i64 = 16

-- | Stable sort by digits of a few bits, from the least to the most significant. `get_bit k x` is bit `k` of `x`, 0
-- or 1. In each round, every part of the array counts its digits. A scan over the counts gives each part the first place of
-- each of its digits, and the elements of a part take the next places in order.
--
-- Source: Zagha and Blelloch, Radix Sort for Vector Multiprocessors (Supercomputing 1991).
def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  let part = i64.max 1 (i64.min 256 n)
  let parts = (n + part - 1) / part
  in loop xs = copy xs for round < (num_bits + digit_bits - 1) / digit_bits do
       let low = round * digit_bits
       let digit (x: t): u8 =
         loop digit = 0 for b < i32.min digit_bits (num_bits - low) do
           digit | u8.bool (get_bit (low + b) x == 1) << u8.i32 b
       let digits = map digit xs
       let digit_at i = i64.u8 (#[unsafe] digits[i])
       let count (p: i64): [digit_values]i64 =
         loop counts = replicate digit_values 0 for k < i64.min part (n - p * part) do
           let d = digit_at (p * part + k)
           in #[unsafe] counts with [d] = counts[d] + 1
       let counts = map count (iota parts)
       let up_to = scan (+) 0 (flatten (transpose counts))
       let place (p: i64): [part]i64 =
         let firsts = tabulate digit_values (\d -> #[unsafe] (up_to[d * parts + p] - counts[p, d]))
         let (places, _) =
           loop (places, nexts) = (replicate part 0, firsts) for k < i64.min part (n - p * part) do
             let d = digit_at (p * part + k)
             let next = #[unsafe] nexts[d]
             in #[unsafe] (places with [k] = next, nexts with [d] = next + 1)
         in places
       let places = map place (iota parts)
       in scatter (copy xs) (#[unsafe] take n (flatten places)) xs

-- | As `radix_sort`, by a key of each element.
def radix_sort_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  let pairs = map (\i -> (key xs[i], i)) (iota n)
  let sorted = radix_sort num_bits (\bit (k, _) -> get_bit bit k) pairs
  in map (\(_, i) -> xs[i]) sorted

-- | As `radix_sort`, for signed integers: a set sign bit comes first.
def radix_sort_int [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  radix_sort num_bits
             (\bit x -> if bit == num_bits - 1 then 1 - get_bit bit x else get_bit bit x)
             xs

-- | As `radix_sort_by_key`, for keys that are signed integers.
def radix_sort_int_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  radix_sort_by_key key num_bits
                    (\bit k -> if bit == num_bits - 1 then 1 - get_bit bit k else get_bit bit k)
                    xs

-- | As `radix_sort`, for IEEE floating-point numbers, whose bits `get_bit` gives: negative numbers
-- are in the opposite order of their bits. Negative zero comes before zero, NaNs at the ends.
def radix_sort_float [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  let ascending bit x =
    let negative = get_bit (num_bits - 1) x
    in if bit == num_bits - 1 then 1 - negative else get_bit bit x ^ negative
  in radix_sort num_bits ascending xs

-- | As `radix_sort_by_key`, for keys that are floating-point numbers.
def radix_sort_float_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  let ascending bit k =
    let negative = get_bit (num_bits - 1) k
    in if bit == num_bits - 1 then 1 - negative else get_bit bit k ^ negative
  in radix_sort_by_key key num_bits ascending xs

-- | The number of elements that `merge_sort` sorts by insertion.
local def block: i64 = 32

-- | The number of elements in a piece of the result of a merge: at most the size of two blocks, so that a piece comes from one
-- pair of runs.
local def piece: i64 = 64

-- | Sorts the first `count` elements by insertion, and leaves the others as they are.
local def insertion_sort [n] 't (leq: t -> t -> bool) (count: i64) (xs: *[n]t): *[n]t =
  loop xs for i < count do
    let x = copy (#[unsafe] xs[i])
    let (xs, at) =
      loop (xs, at) = (xs, i) while at > 0 && !(leq (#[unsafe] xs[at - 1]) x) do
        let y = copy (#[unsafe] xs[at - 1])
        in (#[unsafe] xs with [at] = y, at - 1)
    in #[unsafe] xs with [at] = x

-- | Merges sorted runs of a width to sorted runs of twice that width. For each piece of the result, a binary search finds
-- the numbers of elements before the piece that come from the left run and from the right run, such that no later element
-- belongs before them.
--
-- Source: Odeh, Green, Mwassi, Shmueli and Birk, Merge Path - Parallel Merging Made Simple (IPDPSW 2012).
local def merge_runs [n] 't (leq: t -> t -> bool) (width: i64) (xs: [n]t): *[n]t =
  let merged (p: i64): [piece]t =
    let first = p * piece
    let left = first - first % (2 * width)
    let left_end = i64.min n (left + width)
    let right_end = i64.min n (left_end + width)
    let before = first - left
    let (from_left, _) =
      loop (low, high) = (i64.max 0 (before - (right_end - left_end)), i64.min before (left_end - left)) while low < high do
        let middle = low + (high - low) / 2
        in if leq (#[unsafe] xs[left + middle]) (#[unsafe] xs[left_end + before - middle - 1])
           then (middle + 1, high)
           else (low, middle)
    let (ys, _, _) =
      loop (ys, i, j) = (replicate piece (#[unsafe] xs[first]), left + from_left, left_end + before - from_left)
      for k < piece do
        let x = #[unsafe] xs[i64.min i (n - 1)]
        let y = #[unsafe] xs[i64.min j (n - 1)]
        let right_is_empty = j >= right_end
        let is_left = i < left_end && (right_is_empty || leq x y)
        let z = if is_left then x else y
        in (#[unsafe] ys with [k] = z, i + i64.bool is_left, j + i64.bool (!is_left))
    in ys
  let pieces = map merged (iota ((n + piece - 1) / piece))
  in #[unsafe] take n (flatten pieces)

-- | Sorts runs of a few elements by insertion, then merges runs of doubling width. `leq` must be a total order up to ties.
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t): *[n]t =
  if n <= block then insertion_sort leq n (copy xs)
  else
    let sorted (b: i64): [block]t =
      let first = b * block
      let ys = tabulate block (\i -> #[unsafe] xs[i64.min (first + i) (n - 1)])
      in insertion_sort leq (i64.min block (n - first)) ys
    let blocks = map sorted (iota ((n + block - 1) / block))
    let (sorted, _) =
      loop (xs, width) = (#[unsafe] take n (flatten blocks), block) while width < n do
        (merge_runs leq width xs, 2 * width)
    in sorted

-- | As `merge_sort`, by a key of each element.
def merge_sort_by_key [n] 't 'k (key: t -> k) (leq: k -> k -> bool) (xs: [n]t): *[n]t =
  let pairs = map (\i -> (key xs[i], i)) (iota n)
  let sorted = merge_sort (\(a, _) (b, _) -> leq a b) pairs
  in map (\(_, i) -> xs[i]) sorted
