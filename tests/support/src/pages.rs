//! Generated parts of the documentation: the text between `<!-- begin NAME -->` and `<!-- end NAME -->`.

/// The page with these contents in the part with this name; `None` if it has no such part.
pub fn with_part(page: &str, name: &str, contents: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{contents}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::with_part;

    #[test]
    fn a_part_is_replaced_and_the_others_stay() {
        let part = |name: &str, text: &str| format!("<!-- begin {name} -->\n{text}<!-- end {name} -->\n");
        let page = format!("Head.\n{}Middle.\n{}", part("a", "old\n"), part("b", "kept\n"));
        let wanted = format!("Head.\n{}Middle.\n{}", part("a", "new\n"), part("b", "kept\n"));
        assert_eq!(with_part(&page, "a", "new\n"), Some(wanted));
        assert_eq!(with_part(&page, "c", "new\n"), None);
        assert_eq!(with_part("<!-- begin a -->\n", "a", "new\n"), None);
    }
}
