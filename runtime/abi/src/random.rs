//! A counter-based generator of random numbers: number `i` of a seed is a hash of both.
//!
//! The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom
//! Number Generators", OOPSLA 2014).

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number at least 0 and below `bound`, which is positive.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A number between `least` and `most`, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_fill_their_range_and_depend_on_the_seed_only() {
        let mut random = Random::new(1);
        let numbers: Vec<u64> = (0..1000).map(|_| random.between(3, 9)).collect();
        assert_eq!((numbers.iter().min(), numbers.iter().max()), (Some(&3), Some(&9)));
        let mut again = Random::new(1);
        assert!(numbers.iter().all(|&number| number == again.between(3, 9)));
    }
}
