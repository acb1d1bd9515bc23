-- | Sorting. All sorts here are stable: elements that are equal keep their order.

-- | Stable partition by one bit at a time, from the least significant: `num_bits` rounds.
-- `get_bit k x` is bit `k` of `x`, 0 or 1.
--
-- Source: Blelloch, Prefix Sums and Their Applications, in Synthesis of Parallel Algorithms (1990).
def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t): *[n]t =
  loop xs = copy xs for bit < num_bits do
    let ones = map (\x -> i64.i32 (get_bit bit x)) xs
    let ones_up_to = scan (+) 0 ones
    let zeros = n - (if n == 0 then 0 else ones_up_to[n - 1])
    let place i one up_to = if one == 1 then zeros + up_to - 1 else i - up_to
    let places = map3 place (iota n) ones ones_up_to
    in scatter (copy xs) places xs

-- | As `radix_sort`, by a key of each element.
def radix_sort_by_key [n] 't 'k
    (key: t -> k) (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t): *[n]t =
  let pairs = map (\i -> (key xs[i], i)) (iota n)
  let sorted = radix_sort num_bits (\bit (k, _) -> get_bit bit k) pairs
  in map (\(_, i) -> xs[i]) sorted

-- | As `radix_sort`, for signed integers: the sign bit counts downwards.
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
-- are ordered against their bits. Negative zero comes before zero, NaNs at the ends.
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

-- | Merges runs of doubling width. Each element finds its place by itself: its position in its own
-- run, plus the number of elements of the neighbouring run that come before it, which a binary
-- search finds. `leq` must be a total order up to ties.
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t): *[n]t =
  let (sorted, _) =
    loop (xs, width) = (copy xs, 1i64) while width < n do
      let place (i: i64): i64 =
        let x = xs[i]
        let run = i / width
        let is_left = run % 2 == 0
        -- The neighbour's elements that come before x; of equal ones, those of a left neighbour.
        let comes_before (y: t) = if is_left then !(leq x y) else leq y x
        let neighbour = if is_left then run + 1 else run - 1
        let begin = i64.min n (neighbour * width)
        let (before, _) =
          loop (low, high) = (begin, i64.min n (begin + width)) while low < high do
            let middle = low + (high - low) / 2
            in if comes_before xs[middle] then (middle + 1, high) else (low, middle)
        in (if is_left then i else i - width) + (before - begin)
      in (scatter (copy xs) (map place (iota n)) xs, 2 * width)
  in sorted

-- | As `merge_sort`, by a key of each element.
def merge_sort_by_key [n] 't 'k (key: t -> k) (leq: k -> k -> bool) (xs: [n]t): *[n]t =
  let pairs = map (\i -> (key xs[i], i)) (iota n)
  let sorted = merge_sort (\(a, _) (b, _) -> leq a b) pairs
  in map (\(_, i) -> xs[i]) sorted
