// The value of another thread of the subgroup. No device shuffles bools.

fn shuffle_T(value: T, lane: u32) -> T { return subgroupShuffle(select(0u, 1u, value), lane) != 0u; }
