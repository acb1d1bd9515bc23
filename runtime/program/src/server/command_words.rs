//! The words of a command.

/// The words of a line, separated by blanks. A word in double quotes may have blanks. So may a word that begins with a
/// bracket, up to the matching bracket, because not every client quotes array types.
///
/// # Errors
/// If a quote is not closed.
pub fn split(line: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("a double quote is not closed")?,
            None => rest.split_at(end(rest)),
        };
        words.push(word);
        rest = after.trim_start();
    }
    Ok(words)
}

/// The end of the first word of a text.
fn end(text: &str) -> usize {
    let blank = || text.find(char::is_whitespace).unwrap_or(text.len());
    if !text.starts_with(['(', '[', '{']) {
        return blank();
    }
    let mut open = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ if open == 0 && letter.is_whitespace() => return at,
            _ => {}
        }
    }
    // A bracket that is not closed does not begin a type.
    if open == 0 { text.len() } else { blank() }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn brackets_keep_blanks_together() {
        assert_eq!(split("fields (i32, f32)"), Ok(vec!["fields", "(i32, f32)"]));
        assert_eq!(
            split("zip x [][](i64, {a: f32, b: (i8, i8)}) {y: i8, z: i8} u"),
            Ok(vec!["zip", "x", "[][](i64, {a: f32, b: (i8, i8)})", "{y: i8, z: i8}", "u"])
        );
        assert_eq!(split("a (b c d"), Ok(vec!["a", "(b", "c", "d"]));
        assert_eq!(split("a b( c ) d"), Ok(vec!["a", "b(", "c", ")", "d"]));
    }

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(split("call f \"(i32, f64)\" x\n"), Ok(vec!["call", "f", "(i32, f64)", "x"]));
        assert_eq!(split("  \t\r\n"), Ok(vec![]));
        assert_eq!(split("a \"\" b"), Ok(vec!["a", "", "b"]));
        assert!(split("a \"b").is_err());
    }
}
