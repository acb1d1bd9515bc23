-- | The two formulas for numbers of one dimension of a Sobol sequence, on direction numbers that are data.

-- | The independent formula: number i is the exclusive or of the direction numbers that the bits of
-- the Gray code of i select.
def independent (directions: [32]u32) (i: u32): u32 =
  let gray = i ^ (i >> 1)
  let choose (t: i64) (direction: u32) = if (gray >> u32.i64 t) & 1 == 1 then direction else 0
  in reduce (^) 0 (map2 choose (iota 32) directions)

-- | The recurrence: from number i to number i + 1 flips the direction number of the lowest zero bit of i.
def flip_after (directions: [32]u32) (i: u32): u32 =
  directions[u32.ctz (u32.not i)]
