-- Monte-Carlo pricing of a call option as a composition of six functions over all paths.
-- ==
-- input { 4i64 7i64 }
def bits (seed: i64) (path: i64): u32 =
  let x = u32.i64 (path * 2654435761 + seed)
  in x ^ (x >> 13)

def uniform (bits: u32): f32 = f32.u32 bits / 4294967296
def normal (u: f32): f32 = 4.91 * ((u + 1e-6) ** 0.14 - (1 - u) ** 0.14)
def at_maturity (volatility: f32) (z: f32): f32 = f32.exp (volatility * z - 0.5 * volatility * volatility)
def payoff (strike: f32) (price: f32): f32 = f32.max 0 (price - strike)
def discounted (rate: f32) (value: f32): f32 = value * f32.exp (-rate)

entry main (paths: i64) (seed: i64): f32 =
  iota paths
  |> map (bits seed)
  |> map uniform
  |> map normal
  |> map (at_maturity 0.2)
  |> map (payoff 0.9)
  |> map (discounted 0.05)
  |> reduce (+) 0
