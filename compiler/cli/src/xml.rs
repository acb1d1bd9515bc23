//! Escapes text for XML: for JUnit reports and SVG plots.

/// The text escaped for element content and for attribute values in double quotes.
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
    fn markup_characters_are_escaped() {
        assert_eq!(escaped("a <b> & \"c\"\n\u{1}d é"), "a &lt;b&gt; &amp; &quot;c&quot;&#10; d é");
    }
}
