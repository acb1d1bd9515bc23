//! Text as it may stand in XML: in reports of tests, and in pictures.

/// The text, between tags or as the value of an attribute in double quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("a <b> & \"c\"\n\u{1}d é"), "a &lt;b&gt; &amp; &quot;c&quot;&#10; d é");
    }
}
