-- | Options on zero-coupon bonds in Hull-White trees, flattened by hand: the trees of several options
-- lie side by side in bins of 1024 slots, and all slots of a bin go through the levels together.
--
-- It computes what hullwhite.dsl computes, which explains the model. The options are sorted by
-- height and width, so that a bin holds trees of like height; those that are finished idle.
-- ==
-- entry: main
-- input { [63.0, 63.0, 63.0] [9.0, 9.0, 9.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [1u16, 5u16, 25u16]
--         [0.1, 0.1, 0.1] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--         [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--          0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--         [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }
-- output { [1.879957315, 1.838268650, 1.811206882] }

-- | The zero rate for a time in years: between the days of the curve linear, flat outside.
def zero_rate [m] (rates: [m]f64) (days: [m]i32) (years: f64): f64 =
  let day = i32.f64 (f64.floor (365 * years + 0.5))
  in if day <= head days then head rates
     else if day > last days then last rates
     else let after = loop k = 1 while days[k] < day do k + 1
          let before = after - 1
          let share = f64.i32 (day - days[before]) / f64.i32 (days[after] - days[before])
          in rates[before] + share * (rates[after] - rates[before])

-- | Today's price of one unit at that time.
def zero_bond [m] (rates: [m]f64) (days: [m]i32) (years: f64): f64 =
  f64.exp (- (zero_rate rates days years) * years)

-- | Probabilities to move up, to stay, and to move down from a node, where `offset` says how far
-- the mean of the move lies above the middle target.
def branching (offset: f64): (f64, f64, f64) =
  let square = offset * offset
  in (1 / 6 + (square + offset) / 2, 2 / 3 - square, 1 / 6 + (square - offset) / 2)

-- | What shapes the tree of an option: the time between levels, how many levels follow the root,
-- the level of the expiry, how many nodes lie on each side of the middle one, the drift towards
-- it in steps of the rate, and that step.
def tree (maturity: f64, length: f64, steps: u16) (a: f64, sigma: f64): (f64, i64, i64, i64, f64, f64) =
  let dt = 1 / f64.u16 steps
  let reversion = f64.exp (-a * dt) - 1
  let variance = sigma * sigma * (1 - f64.exp (-2 * a * dt)) / (2 * a)
  in (dt,
      i64.f64 (f64.round (maturity * f64.u16 steps)),
      i64.f64 (f64.round (length * f64.u16 steps)),
      i64.f64 (f64.floor (-0.184 / reversion)) + 1,
      reversion,
      f64.sqrt (3 * variance))

-- | The nearest node that has two neighbours in a tree of this width: the middle target of the moves.
def middle (width: i64) (k: i64): i64 = i64.max 1 (i64.min (width - 2) k)

-- | Slots in a bin, at least as many as the widest tree has nodes.
def capacity: i64 = 1024

-- | Indices that put the keys, numbers of at most `bits` bits, into descending order: a radix sort.
def descending [n] (bits: i32) (keys: [n]i64): [n]i64 =
  loop order = iota n for bit < bits do
    let (ones, zeros) = partition (\i -> i64.get_bit bit keys[i] == 1) order
    in concat ones zeros :> [n]i64

-- | Where bins begin when trees are put one beside the other as long as they fit. Every option has
-- one with which the next bin would begin if one began with it; following these from option 0 gives
-- the bins. All are followed at once, in strides that double.
def bins [n] (widths: [n]i64): []i64 =
  let ends = scan (+) 0 widths
  let next (i: i64): i64 =
    if i == n then n
    else let room = ends[i] - widths[i] + capacity
         let (fits, _) =
           loop (fits, beyond) = (i, n) while beyond - fits > 1 do
             let middle = (fits + beyond) / 2
             in if ends[middle] <= room then (middle, beyond) else (fits, middle)
         in fits + 1
  let (begins, _, _) =
    loop (begins, ahead, stride) = (map (== 0) (iota (n + 1)), map next (iota (n + 1)), 1) while stride < n do
      let reached = map2 (\begins to -> if begins then to else -1) begins ahead
      in (scatter (copy begins) reached (map (const true) reached), map (\to -> ahead[to]) ahead, 2 * stride)
  in filter (\i -> begins[i]) (iota n)

-- | Sums that begin anew at every head of a segment.
def segmented_sums [s] (heads: [s]bool) (numbers: [s]f64): [s]f64 =
  let add (head: bool, sum: f64) (next_head: bool, number: f64) =
    (head || next_head, if next_head then number else sum + number)
  in map (.1) (scan add (false, 0) (zip heads numbers))

-- | The values at the roots of the options in a bin, and other numbers in the other slots.
def valuate [m] [c] (rates: [m]f64) (days: [m]i32)
    (contents: [c]((f64, i8), (f64, i64, i64, i64, f64, f64))): [capacity]f64 =
  let (options, trees) = unzip contents
  let widths = map (\tree -> 2 * tree.3 + 1) trees
  let offsets = exscan (+) 0 widths
  let used = i64.sum widths
  let owner = scan i64.max 0 (spread used 0 offsets (iota c))
  let first = map (\o -> offsets[o]) owner
  let node = map2 (-) (iota used) first
  let move (o: i64) (k: i64): (f64, f64, f64) =
    let (_, _, _, half, reversion, _) = trees[o]
    in branching (f64.i64 (k - half) * reversion - f64.i64 (middle widths[o] k - k))
  let (up, stay, down) = unzip3 (map2 move owner node)
  let discount_at (o: i64) (k: i64): f64 =
    let (dt, _, _, half, _, rate_step) = trees[o]
    in f64.exp (-(f64.i64 (k - half)) * rate_step * dt)
  let discount = map2 discount_at owner node
  let highest = i64.maximum (map (.1) trees)
  let roots = map2 (\o k -> f64.bool (k == trees[o].3)) owner node

  let (_, shifts) =
    loop (states, shifts) = (roots, replicate highest (replicate c 0)) for i < highest do
      let discounted = map2 (*) states discount
      let sums = segmented_sums (map (== 0) node) discounted
      let shift =
        map3 (\tree offset width -> zero_bond rates days (f64.i64 (i + 1) * tree.0) / sums[offset + width - 1])
             trees offsets widths
      let receive (slot: i64): f64 =
        let width = widths[owner[slot]]
        let from (distance: i64): f64 =
          let k = node[slot] + distance
          in if k < 0 || k >= width then 0
             else let move = node[slot] - middle width k
                  let source = slot + distance
                  let probability = if move == 1 then up[source]
                                    else if move == 0 then stay[source]
                                    else if move == -1 then down[source]
                                    else 0
                  in probability * discounted[source]
        in shift[owner[slot]] * (from (-2) + from (-1) + from 0 + from 1 + from 2)
      let states = map (\slot -> if i < trees[owner[slot]].1 then receive slot else states[slot]) (iota used)
      in (states, shifts with [i] = shift)

  let values =
    loop values = replicate used 100 for j < highest do
      let i = highest - 1 - j
      let value (slot: i64): f64 =
        let (strike, kind) = options[owner[slot]]
        let (_, levels, expiry, _, _, _) = trees[owner[slot]]
        let target = first[slot] + middle widths[owner[slot]] node[slot]
        let expected =
          up[slot] * values[target + 1] + stay[slot] * values[target] + down[slot] * values[target - 1]
        let held = shifts[i, owner[slot]] * discount[slot] * expected
        in if i >= levels then values[slot]
           else if i != expiry then held
           else f64.max 0 (if kind == 1 then strike - held else held - strike)
      in map value (iota used)
  in scatter (replicate capacity 0) (iota used) values

entry main [n] [m]
    (strike: [n]f64) (maturity: [n]f64) (expiry: [n]f64) (_term_unit: [n]u16) (steps: [n]u16)
    (a: [n]f64) (sigma: [n]f64) (kind: [n]i8) (rates: [m]f64) (days: [m]i32): [n]f64 =
  let options = zip strike kind
  let trees = map2 tree (zip3 maturity expiry steps) (zip a sigma)
  let order = descending 32 (map (\tree -> tree.1 * capacity + tree.3) trees)
  let sorted = map (\i -> (options[i], trees[i])) order
  let widths = map (\(_, tree) -> 2 * tree.3 + 1) sorted
  let begins = bins widths
  let values =
    map (\bin -> let from = begins[bin]
                 let to = if bin + 1 < length begins then begins[bin + 1] else n
                 in valuate rates days sorted[from:to])
        (indices begins)
  -- the value of an option is that of its root
  let bin_of = map (\count -> count - 1) (scan (+) 0 (spread n 0 begins (map (const 1) begins)))
  let offsets = exscan (+) 0 widths
  let value (o: i64): f64 =
    let bin = bin_of[o]
    in values[bin, offsets[o] - offsets[begins[bin]] + widths[o] / 2]
  in scatter (replicate n 0) order (map value (iota n))
