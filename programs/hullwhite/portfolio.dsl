-- | Portfolios of options on zero-coupon bonds: the data of hullwhite.dsl, in seven distributions of
-- the sizes of trees.
--
--     echo 1000 1 | ravel run --binary --entry skewed programs/hullwhite/portfolio.dsl > skewed.in
-- ==
-- entry: random
-- input { 3i64 1u64 }
-- output { [63.0, 63.0, 63.0] [75.0, 45.0, 77.0] [3.0, 3.0, 3.0] [365u16, 365u16, 365u16] [12u16, 12u16, 12u16]
--          [0.01519, 0.00892, 0.0193] [0.01, 0.01, 0.01] [1i8, 1i8, 1i8]
--          [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595,
--           0.0673464, 0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015]
--          [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653] }

import "random"

-- | The years to a bond's maturity, and the nodes of the tree's widest level: an odd number, or 0 for
-- the width at the reversion rate 0.1.
type size = (i64, i64)

-- | The least and the greatest number of a range; the greatest is 0 if the range is not given.
type range = (i64, i64)

-- | The sizes of trees; one tree in a hundred is rare.
type distribution = {years: range, width: range, rare_years: range, rare_width: range}

-- | A random multiple of `step` above the least number of a range, from draw `i` of a seed, and the index of the
-- next draw. Without a range it is the old number. If the range has one number, no draw is used.
def pick (seed: u64) (step: i64) (least: i64, most: i64) (was: i64, i: i64): (i64, i64) =
  if most == 0 then (was, i)
  else if least == most then (least, i)
  else let choices = u64.i64 ((most - least) / step + 1)
       in (least + step * i64.u64 (u64.mul_hi (splitmix64 seed i) choices), i + 1)

-- | The size of one tree, from draw `i` on, and the index of the next draw.
def tree (seed: u64) (kind: distribution) (i: i64): (size, i64) =
  let (width, i) = pick seed 2 kind.width (0, i)
  let (years, i) = pick seed 1 kind.years (9, i)
  in if kind.rare_years.1 == 0 && kind.rare_width.1 == 0 then ((years, width), i)
     else let (chance, i) = pick seed 1 (0, 99) (0, i)
          in if chance > 0 then ((years, width), i)
             else let (years, i) = pick seed 1 kind.rare_years (years, i)
                  let (width, i) = pick seed 2 kind.rare_width (width, i)
                  in ((years, width), i)

-- | The number of steps per year.
def steps = 12u16

-- | A reversion rate with five decimals, in the middle of those whose trees have this width: the half
-- width j is the least with 0.184 / j < 1 - exp (-a / steps).
def reversion (width: i64): f64 =
  if width == 0 then 0.1
  else let half = f64.i64 (width / 2)
       let middle = (0.184 / half + 0.184 / (half - 1)) / 2
       in f64.round (- f64.u16 steps * f64.log (1 - middle) * 1e5) / 1e5

-- | The input of hullwhite.dsl.
type record [n] [m] =
  ([n]f64, [n]f64, [n]f64, [n]u16, [n]u16, [n]f64, [n]f64, [n]i8, [m]f64, [m]i32)

-- | Puts of strike 63 that expire after three years, and the zero curve: rates, and the days for which
-- they hold.
def puts [n] (years: [n]f64) (steps: [n]u16) (reversion: [n]f64): record [n] [] =
  (replicate n 63, years, replicate n 3, replicate n 365, steps, reversion, replicate n 0.01, replicate n 1,
   [0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595, 0.0673464,
    0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015],
   [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653])

-- | This many options, drawn sequentially.
def portfolio (kind: distribution) (n: i64) (seed: u64): record [n] [] =
  let (sizes, _) =
    loop (sizes, i) = (replicate n (0, 0), 0) for option < n do
      let (size, i) = tree seed kind i
      in (sizes with [option] = size, i)
  let (years, widths) = unzip sizes
  in puts (map f64.i64 years) (replicate n steps) (map reversion widths)

def equal: distribution = {years = (0, 0), width = (0, 0), rare_years = (0, 0), rare_width = (0, 0)}
def narrow: distribution = equal with years = (1, 30) with width = (7, 107)

entry uniform = portfolio equal
entry random = portfolio (equal with years = (1, 100) with width = (7, 511))
entry random_constant_height = portfolio (equal with width = (7, 511))
entry random_constant_width = portfolio (equal with years = (1, 100))
entry skewed = portfolio (narrow with rare_years = (70, 100) with rare_width = (411, 511))
entry skewed_constant_height = portfolio (narrow with rare_years = (100, 100))
entry skewed_constant_width = portfolio (narrow with rare_width = (511, 511))

-- | The example of Hull and White's book, at several numbers of steps per year.
entry book = puts (replicate 6 9) [1, 5, 10, 25, 100, 365] (replicate 6 0.1)
