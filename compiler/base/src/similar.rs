//! The name that was probably meant by a misspelt one.

use crate::Symbol;

/// The most similar candidate, in which at most about a third of the letters differ. A letter that is added, missing or
/// changed counts as one, and so do two neighbours that are exchanged. The case of letters does not count.
pub fn most_similar(name: Symbol, candidates: impl Iterator<Item = Symbol>) -> Option<Symbol> {
    let text = name.as_str();
    let length = text.chars().count();
    let limit = (length + 1) / 3;
    // Skip candidates whose lengths alone differ too much.
    let may_be_near = |candidate: &Symbol| candidate.as_str().chars().count().abs_diff(length) <= limit;
    let near = candidates.filter(may_be_near);
    let text = text.to_lowercase();
    let near =
        near.map(|candidate| (strsim::osa_distance(&text, &candidate.as_str().to_lowercase()), candidate));
    near.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["map", "map2", "reduce", "scan", "n"].map(Symbol::new);
        let similar = |name: &str| most_similar(Symbol::new(name), names.into_iter()).map(Symbol::as_str);
        assert_eq!(similar("redcue"), Some("reduce"));
        assert_eq!(similar("mpa2"), Some("map2"));
        assert_eq!(similar("frobnicate"), None);
        assert_eq!(similar("m"), None);
        assert_eq!(similar("N"), Some("n"));
        assert_eq!(similar("Map"), Some("map"));
    }
}
