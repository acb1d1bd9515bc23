//! The tokens that the parser expected at a syntax error.

/// The tokens expected at the error, by their names in the grammar.
#[derive(Default)]
pub(crate) struct ExpectedTokens {
    names: Vec<String>,
}

impl ExpectedTokens {
    pub(crate) fn new(names: Vec<String>) -> ExpectedTokens {
        ExpectedTokens { names: names.into_iter().map(|name| name.trim_matches('"').to_owned()).collect() }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// True if a declaration is expected, and neither an expression nor an operator could come here.
    pub(crate) fn is_declaration(&self) -> bool {
        self.has("def") && !self.has("if") && !self.has("|>…")
    }

    /// True if a name is expected, but not any expression or type.
    pub(crate) fn names_something(&self) -> bool {
        self.has("name") && !self.has("if") && !self.has("?")
    }

    /// True if the end of a range is expected.
    pub(crate) fn range_end(&self) -> bool {
        self.has("..<") && !self.has("..")
    }

    /// "Expected one of the following: `)` or an operator", with `place` after it; empty if nothing is known.
    pub(crate) fn sentence(&self, place: &str) -> String {
        let mut words = self.words();
        let last = words.pop();
        match (words.is_empty(), last) {
            (_, None) => String::new(),
            (true, Some(last)) => format!("Expected {last}{place}"),
            (false, Some(last)) => {
                format!("Expected one of the following{place}: {} or {last}", words.join(", "))
            }
        }
    }

    /// Summarises the tokens in a few words, the most informative first.
    fn words(&self) -> Vec<String> {
        const TELLING: &[&str] =
            &["in", "then", "else", "do", "case", ")", "]", "}", "->", "=", "for", "while", "`", "<"];
        let mut words = Vec::new();
        let anything = self.has("if");
        if self.is_declaration() {
            return vec!["a declaration".to_owned()];
        }
        if anything {
            words.push("an expression".to_owned());
        }
        if self.range_end() {
            words.extend(["`...`", "`..<`", "`..>`"].map(str::to_owned));
        }
        let telling = TELLING.iter().filter(|word| self.has(word) && !(**word == "<" && self.has("|>…")));
        words.extend(
            telling.filter(|word| !(**word == "`" && self.has("|>…"))).map(|word| format!("`{word}`")),
        );
        if !anything {
            if self.has("|>…") {
                words.push("an operator".to_owned());
            } else if self.has("?") {
                words.push("a type".to_owned());
            } else if self.has("_") {
                words.push("a pattern".to_owned());
            } else if self.has("name") {
                words.push("a name".to_owned());
            }
        }
        if words.is_empty() {
            words.extend(self.names.iter().map(|name| match name.as_str() {
                "integer" => "an integer".to_owned(),
                "constructor" | "field number" | "number" | "float" | "character" | "string" => {
                    format!("a {name}")
                }
                _ => format!("`{name}`"),
            }));
        }
        words.truncate(4);
        words
    }
}
