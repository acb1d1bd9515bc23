//! The definitions of the prelude and the library, read from their texts: the index of the language page.
//!
//! The files of `stdlib` have one style: a doc comment is in front of its declaration, and the contents of a module are
//! indented by two blanks. So they can be read line by line.

/// A definition that programs can use.
#[derive(Debug, PartialEq, Eq)]
pub struct Item {
    /// The modules around it, each followed by a dot.
    pub path: String,
    /// The declaration, up to its body.
    pub signature: String,
    /// The first sentence of its doc comment; none if it lacks one.
    pub about: Option<String>,
}

/// The description of a file, and its definitions.
pub fn contents(text: &str) -> (String, Vec<Item>) {
    let about = comment(&mut text.lines().peekable(), "");
    let mut lines = text.lines().peekable();
    let mut reader = Reader { items: Vec::new(), doc: None };
    reader.declarations(&mut lines, "", "", true);
    (about.unwrap_or_default(), reader.items)
}

/// The first sentence of a text.
fn sentence(text: &str) -> String {
    let end = text.find(". ").or_else(|| text.find(".) ")).unwrap_or(text.len());
    text[..end].trim_end_matches('.').to_owned()
}

type Lines<'a> = std::iter::Peekable<std::str::Lines<'a>>;

/// The first sentence of the doc comment at this point.
fn comment(lines: &mut Lines, indent: &str) -> Option<String> {
    let begin = lines.peek()?.strip_prefix(indent)?.strip_prefix("-- | ")?;
    let mut doc = begin.to_owned();
    lines.next();
    while let Some(more) = lines.peek().and_then(|line| line.strip_prefix(indent)?.strip_prefix("--")) {
        doc += more;
        lines.next();
    }
    Some(sentence(&doc))
}

struct Reader {
    items: Vec<Item>,
    doc: Option<String>,
}

impl Reader {
    /// Reads the declarations of this depth; they are listed only if `listed`.
    fn declarations(&mut self, lines: &mut Lines, indent: &str, path: &str, listed: bool) {
        loop {
            if let Some(doc) = comment(lines, indent) {
                self.doc = Some(doc);
                continue;
            }
            let Some(line) = lines.peek() else { return };
            let Some(rest) = line.strip_prefix(indent) else {
                if line.trim().is_empty() {
                    self.doc = None;
                    lines.next();
                    continue;
                }
                return;
            };
            lines.next();
            let rest = rest.trim_end();
            if rest.starts_with("#[") && !rest.contains("] ") {
                continue;
            }
            let rest = rest
                .split_once("] ")
                .filter(|(before, _)| before.starts_with("#["))
                .map_or(rest, |(_, rest)| rest);
            let word = rest.split(' ').next().unwrap_or_default();
            match word {
                "def" | "val" | "type" => self.value(rest, lines, path, listed),
                "module" => self.module(rest, lines, indent, path, listed),
                "local" => {
                    let inner = rest.trim_start_matches("local ");
                    if inner.starts_with("module") {
                        self.module(inner, lines, indent, path, false);
                    }
                    self.doc = None;
                }
                _ => self.doc = None,
            }
        }
    }

    fn value(&mut self, first: &str, lines: &mut Lines, path: &str, listed: bool) {
        let mut signature = first.to_owned();
        while first.starts_with("def") && !format!("{signature} ").contains(" = ") {
            let Some(more) = lines.next() else { break };
            signature = format!("{signature} {}", more.trim());
        }
        let is_spec = first.starts_with("val");
        let end = if is_spec {
            signature.len()
        } else {
            format!("{signature} ").find(" = ").unwrap_or(signature.len())
        };
        let signature = signature[..end].to_owned();
        let signature =
            signature.strip_prefix("def ").or(signature.strip_prefix("val ")).unwrap_or(&signature);
        self.item(path, signature, listed);
    }

    fn module(&mut self, first: &str, lines: &mut Lines, indent: &str, path: &str, listed: bool) {
        // A module type may be refined, `(t with n = i32)`, so the definition begins at the last `=`.
        let line = first.trim_end_matches('{').trim_end();
        let head = match line.strip_suffix('=') {
            Some(head) => head.trim_end(),
            None => line.rsplit_once(" = ").map_or(line, |(head, _)| head),
        };
        let name = head.trim_start_matches("module ").trim_start_matches("type ");
        let name = name.split([' ', ':', '(']).next().unwrap_or_default();
        self.item(path, head, listed);
        if first.ends_with('{') {
            // A module with a module type is documented there.
            let ascribed = !first.starts_with("module type") && outside_parentheses(head).contains(": ");
            self.declarations(lines, &format!("{indent}  "), &format!("{path}{name}."), listed && !ascribed);
            // The closing brace.
            lines.next();
        }
        self.doc = None;
    }

    fn item(&mut self, path: &str, signature: &str, listed: bool) {
        let about = self.doc.take();
        if listed {
            self.items.push(Item { path: path.to_owned(), signature: signature.to_owned(), about });
        }
    }
}

/// The text without what is inside parentheses.
fn outside_parentheses(text: &str) -> String {
    let mut depth = 0;
    let outside = |sign: char| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        (depth == 0).then_some(sign)
    };
    text.chars().filter_map(outside).collect()
}

#[test]
fn declarations_are_found_with_their_modules() {
    let text = "-- | A file. More.\n\n-- | One.\ndef one: i32 = 1\n\n-- | A type.\nmodule type t = {\n  -- | A\n  -- value. More.\n  \
                val v: i32\n}\n-- | Hidden.\nlocal module l = {\n  def x = 1\n}\nmodule m: t = {\n  def v = 1i32\n}\n\
                module k (p: t) = {\n  #[noinline] def w [n]\n    (x: [n]i32) = x\n}\n\
                module r: (t with n = i32) = f {\n  def y = 1\n}\n";
    let (about, items) = contents(text);
    let item = |path: &str, signature: &str, about: Option<&str>| Item {
        path: path.to_owned(),
        signature: signature.to_owned(),
        about: about.map(str::to_owned),
    };
    assert_eq!(about, "A file");
    assert_eq!(
        items,
        [
            item("", "one: i32", Some("One")),
            item("", "module type t", Some("A type")),
            item("t.", "v: i32", Some("A value")),
            item("", "module m: t", None),
            item("", "module k (p: t)", None),
            item("k.", "w [n] (x: [n]i32)", None),
            item("", "module r: (t with n = i32)", None),
        ]
    );
}
