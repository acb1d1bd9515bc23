// The value of another thread of the subgroup.

fn shuffle_T(value: T, lane: u32) -> T { return subgroupShuffle(value, lane); }
