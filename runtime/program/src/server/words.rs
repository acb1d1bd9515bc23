//! The words of a command.

/// The words of a line: what stands between blanks, or between double quotes.
///
/// # Errors
/// When a quote is not closed.
pub fn split(line: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("a double quote is not closed")?,
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word);
        rest = behind.trim_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(split("call f \"(i32, f64)\" x\n"), Ok(vec!["call", "f", "(i32, f64)", "x"]));
        assert_eq!(split("  \t\r\n"), Ok(vec![]));
        assert_eq!(split("a \"\" b"), Ok(vec!["a", "", "b"]));
        assert!(split("a \"b").is_err());
    }
}
