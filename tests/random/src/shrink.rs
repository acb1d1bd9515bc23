//! Shrinking of a failing case: its choices are removed or simplified as long as it still fails.

use crate::case::Case;

/// The maximum number of smaller cases to try.
const MAX_ATTEMPTS: usize = 1_000;

/// A small case that still fails, found greedily.
pub fn shrink(case: &Case, fails: &dyn Fn(&Case) -> bool) -> Case {
    let mut best = case.clone();
    let mut tries = 0;
    let mut try_it = |best: &mut Case, choices: Vec<u8>| {
        tries += 1;
        let smaller = Case { choices, ..best.clone() };
        let better = tries <= MAX_ATTEMPTS && smaller.choices != best.choices && fails(&smaller);
        if better {
            *best = smaller;
        }
        (better, tries > MAX_ATTEMPTS)
    };
    loop {
        let before = best.choices.clone();
        let mut piece = best.choices.len().div_ceil(2);
        while piece > 0 {
            let mut at = 0;
            while at < best.choices.len() {
                let end = (at + piece).min(best.choices.len());
                let without = [&best.choices[..at], &best.choices[end..]].concat();
                let mut zeroed = best.choices.clone();
                zeroed[at..end].fill(0);
                let (shorter, over) = try_it(&mut best, without);
                if over {
                    return best;
                }
                if !shorter {
                    try_it(&mut best, zeroed);
                    at += piece;
                }
            }
            piece /= 2;
        }
        if best.choices == before {
            return best;
        }
    }
}
