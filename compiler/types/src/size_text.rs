//! The source text of a size, with normalised blanks. Two sizes that differ only in blanks, line ends or
//! comments are equal.

/// The kind of token before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrecedingToken {
    /// Nothing, an opening bracket or a comma.
    Open,
    /// An operator after an operand.
    Infix,
    /// An operator without an operand before it.
    Prefix,
    /// A name, a literal or a closing bracket.
    Operand,
}

/// The text with single blanks around infix operators and between words. A blank before a `[` or a `.`
/// is kept, because it changes the meaning.
pub(crate) fn spaced(text: &str) -> String {
    let mut out = String::new();
    let mut before = PrecedingToken::Open;
    let mut rest = text;
    loop {
        let word = after_blanks(rest);
        let had_blank = word.len() < rest.len();
        let Some(first) = word.chars().next() else { return out };
        let (token, after) = word.split_at(token_length(word, first));
        let closes = matches!(first, ')' | ']' | '}' | ',');
        let is_tight = match before {
            PrecedingToken::Open => out.is_empty() || !out.ends_with(','),
            PrecedingToken::Prefix => true,
            PrecedingToken::Infix => false,
            PrecedingToken::Operand => matches!(first, '[' | '.') && !had_blank,
        };
        if !closes && !is_tight {
            out.push(' ');
        }
        out.push_str(token);
        before = match first {
            '(' | '[' | '{' | ',' => PrecedingToken::Open,
            _ if !is_operator(first) => PrecedingToken::Operand,
            _ if before == PrecedingToken::Operand => PrecedingToken::Infix,
            _ => PrecedingToken::Prefix,
        };
        rest = after;
    }
}

/// The text without leading blanks and comments.
fn after_blanks(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("--") {
        Some(comment) => after_blanks(comment.find('\n').map_or("", |end| &comment[end..])),
        None => text,
    }
}

/// The length of the first token.
fn token_length(text: &str, first: char) -> usize {
    let while_all = |accept: &dyn Fn(usize, char) -> bool| {
        text.char_indices().skip(1).find(|&(at, letter)| !accept(at, letter)).map_or(text.len(), |(at, _)| at)
    };
    // A dot belongs to the number or name after it.
    let joins = |at: usize| text[at + 1..].starts_with(|letter: char| is_word(letter));
    if first == '"' {
        let mut escaped = false;
        let end = text.char_indices().skip(1).find(|&(_, letter)| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        end.map_or(text.len(), |(at, _)| at + 1)
    } else if is_word(first) || first == '.' && joins(0) {
        while_all(&|at, letter| is_word(letter) || letter == '.' && joins(at))
    } else if is_operator(first) {
        while_all(&|_, letter| is_operator(letter))
    } else {
        first.len_utf8()
    }
}

fn is_operator(letter: char) -> bool {
    "+-*/%!><|&^.=:\\@`".contains(letter)
}

fn is_word(letter: char) -> bool {
    !letter.is_whitespace() && !is_operator(letter) && !"()[]{},\"".contains(letter)
}
