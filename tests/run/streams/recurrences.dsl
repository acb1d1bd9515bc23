-- The attribute `recurrence` does not change results. The promised recurrences are tested as well.
-- ==
-- entry: squares
-- input { 5i64 }
-- output { [0i64, 1i64, 4i64, 9i64, 16i64] }
-- entry: gray
-- input { 5i64 }
-- output { [0u32, 3u32, 5u32, 6u32, 3u32] }
-- entry: powers
-- input { 3i64 }
-- output { [1.0, 0.5, 0.25] }

def square_next (x: i64) (i: i64): i64 = x + 2 * i + 1
#[recurrence(square_next)]
def square (i: i64): i64 = i * i

entry squares (n: i64): [n]i64 = map square (iota n)

-- The numbers selected by the bits of the Gray code of the index are combined. The next index changes one bit.
module type directions = { val bits: i64 val at: i64 -> u32 }

module coded (d: directions) = {
  def next (x: u32) (i: i64): u32 = x ^ d.at (i64.i32 (i64.ctz (i + 1)) % d.bits)

  #[recurrence(next)]
  def code (i: i64): u32 =
    let gray = i ^ (i >> 1)
    in loop x = 0 for bit < 63 do if (gray >> bit) & 1 == 1 then x ^ d.at (bit % d.bits) else x
}

module small = coded { def bits = 3i64 def at (i: i64): u32 = [3u32, 6u32, 5u32][i] }

entry gray (n: i64): [n]u32 = map small.code (iota n)

def power_next [k] (cs: [k]f64) (x: [k]f64) (_: i64): [k]f64 = map2 (*) cs x
#[recurrence(power_next)]
def power [k] (cs: [k]f64) (i: i64): [k]f64 = map (** f64.i64 i) cs

entry powers (n: i64): [n]f64 = map (\i -> (power [0.5] i)[0]) (iota n)
