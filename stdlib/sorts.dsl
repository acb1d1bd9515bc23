-- | Sorting. All sorts here are stable: elements that are equal keep their order.

-- | The number of bits of a digit, by which one round of `radix_sort` sorts, and the number of values of a digit.
local def digit_bits: i32 = 8
local def digit_values: i64 = 256

-- | The number of elements that one thread counts.
local def part: i64 = 2048

-- | The digit whose bits are all 1, in a round that sorts by `bits` bits.
local def all_ones (bits: i32): i32 = (1 << bits) - 1

-- | Stable sort by digits, from the least to the most significant. `get_bit k x` is bit `k` of `x`, 0 or 1. For the
-- digit of `bits` bits from bit `low` on, `inverted low bits x` has the bits of this digit of `x` whose opposite counts.
-- In each round, every part of the array counts its digits. The count of a digit before an element is the rank of the
-- element among the equal digits of its part. A scan over the counts of all parts gives the first place of each digit of a part.
--
-- Source: Zagha and Blelloch, Radix Sort for Vector Multiprocessors (Supercomputing 1991).
local def sort_by_digits [n] 't
    (num_bits: i32) (get_bit: i32 -> t -> i32) (inverted: i32 -> i32 -> t -> i32) (xs: [n]t): *[n]t =
  let parts = (n + part - 1) / part
  let (sorted, _) =
    loop (xs, ys) = (copy xs, copy xs) for round < (num_bits + digit_bits - 1) / digit_bits do
      let low = round * digit_bits
      let bits = i32.min digit_bits (num_bits - low)
      let digit (x: t): i32 =
        let digit = loop digit = 0 for b < bits do digit | (get_bit (low + b) x & 1) << b
        in digit ^ inverted low bits x
      let digits = map digit xs
      let digit_at i = i64.i32 (#[unsafe] digits[i])
      let count (p: i64): ([part]i32, [digit_values]i32) =
        loop (ranks, counts) = (replicate part 0, replicate digit_values 0) for k < i64.min part (n - p * part) do
          let d = digit_at (p * part + k)
          let rank = #[unsafe] counts[d]
          in #[unsafe] (ranks with [k] = rank, counts with [d] = rank + 1)
      let (ranks, counts) = unzip (map count (iota parts))
      let up_to = scan (+) 0 (map i64.i32 (flatten (transpose counts)))
      let firsts =
        tabulate_2d parts digit_values (\p d -> #[unsafe] (up_to[d * parts + p] - i64.i32 counts[p, d]))
      let place (i: i64) = #[unsafe] (firsts[i / part, digit_at i] + i64.i32 ranks[i / part, i % part])
      in (scatter ys (tabulate n place) xs, xs)
  in sorted

-- | No bit is inverted.
local def none 't (_low: i32) (_bits: i32) (_x: t): i32 = 0

-- | The sign bit is inverted: negative integers come first.
local def sign 't (num_bits: i32) (low: i32) (bits: i32) (_x: t): i32 = 1 << (num_bits - 1 - low) & all_ones bits

-- | All bits of a negative number are inverted, and the sign bit of any other.
local def float_sign 't (num_bits: i32) (get_bit: i32 -> t -> i32) (low: i32) (bits: i32) (x: t): i32 =
  if get_bit (num_bits - 1) x == 1 then all_ones bits else sign num_bits low bits x

-- | Stable sort by digits of a few bits, from the least to the most significant. `get_bit k x` is bit `k` of `x`, 0
-- or 1.
def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  sort_by_digits num_bits get_bit none xs

-- | As `radix_sort`, for signed integers: a set sign bit comes first.
def radix_sort_int [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  sort_by_digits num_bits get_bit (sign num_bits) xs

-- | As `radix_sort`, for IEEE floating-point numbers, whose bits `get_bit` gives: negative numbers
-- are in the opposite order of their bits. Negative zero comes before zero, NaNs at the ends.
def radix_sort_float [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  sort_by_digits num_bits get_bit (float_sign num_bits get_bit) xs

-- | Sorts by a key of each element, with `sort`.
local def by_key [n] 't 'k (sort: [n](k, i64) -> [n](k, i64)) (key: t -> k) (xs: [n]t): *[n]t =
  map (\(_, i) -> xs[i]) (sort (map (\i -> (key xs[i], i)) (iota n)))

-- | As `radix_sort`, by a key of each element.
def radix_sort_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  by_key (radix_sort num_bits (\bit (k, _) -> get_bit bit k)) key xs

-- | As `radix_sort_by_key`, for keys that are signed integers.
def radix_sort_int_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  by_key (radix_sort_int num_bits (\bit (k, _) -> get_bit bit k)) key xs

-- | As `radix_sort_by_key`, for keys that are floating-point numbers.
def radix_sort_float_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  by_key (radix_sort_float num_bits (\bit (k, _) -> get_bit bit k)) key xs

-- | `merge_sort` sorts so few elements by insertion.
local def few: i64 = 16

-- | The length of the runs that `merge_sort` sorts by exchanges, and of the blocks: one thread sorts a block by merging its
-- runs.
local def run: i64 = 8
local def block: i64 = 64

-- | The number of elements in a piece of the result of a merge: at most the size of two blocks, so that a piece comes from one
-- pair of runs.
local def piece: i64 = 128

-- | Sorts by insertion.
local def insertion_sort [n] 't (leq: t -> t -> bool) (xs: *[n]t): *[n]t =
  loop xs for i < n do
    let x = copy xs[i]
    let (xs, at) =
      loop (xs, at) = (xs, i) while at > 0 && !(leq (#[unsafe] xs[at - 1]) x) do
        let y = copy (#[unsafe] xs[at - 1])
        in (#[unsafe] xs with [at] = y, at - 1)
    in #[unsafe] xs with [at] = x

-- | Sorts the first `count` elements by exchanges of neighbours, in rounds that begin at even and at odd positions in turn.
-- The order of the comparisons does not depend on the elements, so runs can be sorted side by side in lanes.
--
-- Source: Knuth, The Art of Computer Programming, volume 3, section 5.3.4: odd-even transposition sort.
local def exchange_sort 't (leq: t -> t -> bool) (count: i64) (xs: *[run]t): *[run]t =
  loop xs for round < run do
    let odd = round % 2
    in loop xs for pair < run / 2 - odd do
      let k = 2 * pair + odd
      let (x, y) = #[unsafe] (copy xs[k], copy xs[k + 1])
      let in_order = k + 1 >= count || leq x y
      let xs = #[unsafe] xs with [k] = copy (if in_order then x else y)
      in #[unsafe] xs with [k + 1] = copy (if in_order then y else x)

-- | Merges two sorted parts of an array, each from its first position up to the one after its last, and writes the result
-- from `at` on. It is written from both ends at once: a processor computes the two chains of comparisons side by side.
local def merge_into [n] [m] 't (leq: t -> t -> bool) (xs: [n]t)
    (left: i64, left_end: i64) (right: i64, right_end: i64) (at: i64) (ys: *[m]t): *[m]t =
  let count = left_end - left + (right_end - right)
  -- no part ends before each end of the result has taken as many elements as the shorter part has
  let safe = i64.max 0 (i64.min (left_end - left) (right_end - right))
  let (ys, i, i_end) =
    loop (ys, i, i_end) = (ys, left, left_end) for k < safe do
      let j = left + right + k - i
      let j_end = left_end + right_end - k - i_end
      let is_left = #[unsafe] leq xs[i] xs[j]
      let is_right = #[unsafe] leq xs[i_end - 1] xs[j_end - 1]
      let ys = #[unsafe] ys with [at + k] = copy xs[if is_left then i else j]
      let ys = #[unsafe] ys with [at + count - 1 - k] = copy xs[if is_right then j_end - 1 else i_end - 1]
      in (ys, i + i64.bool is_left, i_end - i64.bool (!is_right))
  let (j, j_end) = (left + right + safe - i, left_end + right_end - safe - i_end)
  let (ys, _, _, _, _) =
    loop (ys, i, j, i_end, j_end) = (ys, i, j, i_end, j_end) for rest < (count + 1) / 2 - safe do
      let k = safe + rest
      let (x, y) = #[unsafe] (xs[i64.min i (n - 1)], xs[i64.min j (n - 1)])
      let is_left = i < left_end && (j >= right_end || leq x y)
      let (u, v) = #[unsafe] (xs[i64.max 0 (i_end - 1)], xs[i64.max 0 (j_end - 1)])
      let is_right = j_end > right && (i_end <= left || leq u v)
      let ys = #[unsafe] ys with [at + k] = if is_left then x else y
      let ys = #[unsafe] ys with [at + count - 1 - k] = if is_right then v else u
      in (ys, i + i64.bool is_left, j + i64.bool (!is_left), i_end - i64.bool (!is_right), j_end - i64.bool is_right)
  in ys

-- | Merges sorted runs of a width to sorted runs of twice that width. The result is computed in pieces. A binary search
-- at each border of a piece finds how many of the elements before the border come from the left run; the others come from
-- the right run.
--
-- Source: Odeh, Green, Mwassi, Shmueli and Birk, Merge Path - Parallel Merging Made Simple (IPDPSW 2012).
local def merge_runs [n] 't (leq: t -> t -> bool) (width: i64) (xs: [n]t): *[n]t =
  let pieces = (n + piece - 1) / piece
  -- where the pair of runs begins that has this position, where the left one ends, and where the right one does
  let runs_at (at: i64): (i64, i64, i64) =
    let left = at - at % (2 * width)
    let left_end = i64.min n (left + width)
    in (left, left_end, i64.min n (left_end + width))
  let from_left (p: i64): i64 =
    let border = i64.min n (p * piece)
    let (left, left_end, right_end) = runs_at border
    let before = border - left
    let (low, _) =
      loop (low, high) = (i64.max 0 (before - (right_end - left_end)), i64.min before (left_end - left)) while low < high do
        let middle = low + (high - low) / 2
        in if leq (#[unsafe] xs[left + middle]) (#[unsafe] xs[left_end + before - middle - 1])
           then (middle + 1, high)
           else (low, middle)
    in low
  let lefts = map from_left (iota (pieces + 1))
  let merged (p: i64): [piece]t =
    let first = p * piece
    let (left, left_end, right_end) = runs_at first
    let before = first - left
    let after = i64.min (before + piece) (right_end - left)
    let i = lefts[p]
    -- at the next border, another pair of runs may begin
    let i_end = if after == right_end - left then left_end - left else lefts[p + 1]
    in merge_into leq xs (left + i, left + i_end) (left_end + before - i, left_end + after - i_end) 0
                  (replicate piece (#[unsafe] xs[first]))
  in #[unsafe] take n (flatten (map merged (iota pieces)))

-- | Sorts blocks of a few elements, then merges runs of doubling width. `leq` must be a total order up to ties.
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t): *[n]t =
  if n <= few then insertion_sort leq (copy xs)
  else
    let sorted (b: i64): [block]t =
      let first = b * block
      let count = i64.min block (n - first)
      let ys = tabulate block (\i -> #[unsafe] xs[i64.min (first + i) (n - 1)])
      let ys =
        loop ys for r < block / run do
          let zs = exchange_sort leq (count - r * run) (tabulate run (\k -> copy (#[unsafe] ys[r * run + k])))
          in loop ys for k < run do #[unsafe] ys with [r * run + k] = copy zs[k]
      let (ys, _) =
        loop (ys, width) = (ys, run) while width < block do
          let zs =
            loop zs = copy ys for pair < block / (2 * width) do
              let left = i64.min count (2 * width * pair)
              let right = i64.min count (left + width)
              in merge_into leq ys (left, right) (right, i64.min count (right + width)) left zs
          in (zs, 2 * width)
      in ys
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
