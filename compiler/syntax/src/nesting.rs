//! The limits that keep recursion over the tree from exhausting the stack.
//!
//! The limits are checked on the tokens, before the tree is built. At each token there may be
//!
//! - at most [`NESTING_LIMIT`] open brackets and forms with a body (`if`, `loop`, `match`, lambdas), and
//!   at most as many prefix operators, array dimensions or indices in a row;
//! - in all open brackets together, at most [`CHAIN_LIMIT`] tokens outside inner brackets. This bounds the depth of
//!   chains of `let`, of `else if`, of operators and of arguments.
//!
//! A form counts as open until its bracket ends, or until a comma, `let` or `in`. Its body may continue after that, so
//! more forms can be nested than are counted, but never more than [`CHAIN_LIMIT`]. Every rule below that resets a count
//! preserves this.

use ravel_base::NESTING_LIMIT;

use crate::lexer::Lexeme;
use crate::token::{LexError, Token};

/// The maximum number of tokens of an expression outside inner brackets and commas.
const CHAIN_LIMIT: usize = 100_000;

/// The open forms and the tokens inside one bracket.
#[derive(Default)]
struct Frame {
    /// True inside `{`, which may contain declarations.
    brace: bool,
    /// Forms whose bodies have not ended.
    forms: usize,
    /// The length of the row of prefix operators, array dimensions or indices at the last token.
    row: usize,
    /// Tokens since the bracket, the last comma or the last declaration.
    tokens: usize,
    /// The number of `let`s among these tokens that may begin a declaration.
    lets: usize,
}

/// All brackets open at a token, with the sums of their forms and tokens.
struct OpenBrackets {
    frames: Vec<Frame>,
    forms: usize,
    tokens: usize,
}

impl OpenBrackets {
    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the outermost frame is never closed")
    }

    fn push(&mut self, brace: bool) {
        self.frames.push(Frame { brace, ..Frame::default() });
    }

    fn pop(&mut self) {
        if self.frames.len() > 1 {
            self.end_forms();
            self.restart(0);
            self.frames.pop();
        }
    }

    fn end_forms(&mut self) {
        self.forms -= std::mem::take(&mut self.top().forms);
    }

    /// Resets the count of tokens of the innermost frame to `lets`.
    fn restart(&mut self, lets: usize) {
        let top = self.top();
        let before = std::mem::replace(&mut top.tokens, lets);
        top.lets = lets;
        self.tokens = self.tokens + lets - before;
    }

    fn add_token(&mut self) {
        self.top().tokens += 1;
        self.tokens += 1;
    }

    fn add_form(&mut self) {
        self.top().forms += 1;
        self.forms += 1;
    }

    /// A declaration begins, so every bracket that is still open inside the module is an error.
    fn declaration(&mut self) {
        while self.frames.len() > 1 && !self.top().brace {
            self.pop();
        }
        self.end_forms();
        self.restart(0);
    }

    /// An unindented `let` or attribute after an operand begins either a declaration, or the next `let` of a chain,
    /// which lies one level deeper in the tree. So only the `let`s count as tokens of a chain.
    fn declaration_or_let(&mut self) {
        if self.frames.len() == 1 || self.top().brace {
            self.end_forms();
            let lets = self.top().lets + 1;
            self.restart(lets);
        }
    }

    fn nesting(&self) -> usize {
        self.frames.len() - 1 + self.forms
    }
}

/// Marks the tokens that are nested too deeply as errors.
pub(crate) fn mark_deep(lexemes: &mut [Lexeme]) {
    let mut open = OpenBrackets { frames: vec![Frame::default()], forms: 0, tokens: 0 };
    for index in 0..lexemes.len() {
        let lexeme = &lexemes[index];
        let previous = index.checked_sub(1).and_then(|index| lexemes[index].token.as_ref().ok());
        let Ok(token) = &lexeme.token else { continue };
        if lexeme.unindented && lexeme.begins_declaration() {
            match token {
                Token::Let | Token::AttributeBracket if previous.is_some_and(ends_expression) => {
                    open.declaration_or_let();
                }
                Token::Let | Token::AttributeBracket => {}
                _ => open.declaration(),
            }
        }
        let row = &mut open.top().row;
        *row = match token {
            Token::Minus | Token::Bang | Token::Star => *row + 1,
            Token::LeftBracket | Token::Index if previous == Some(&Token::RightBracket) => *row + 1,
            Token::RightBracket | Token::LeftBracket | Token::Index => *row,
            _ => 0,
        };
        let row = *row;
        open.add_token();
        match token {
            Token::LeftParen | Token::LeftBracket | Token::Index | Token::AttributeBracket => {
                open.push(false)
            }
            Token::LeftBrace => open.push(true),
            Token::RightParen | Token::RightBracket | Token::RightBrace => open.pop(),
            Token::Comma => {
                open.end_forms();
                open.restart(0);
            }
            Token::Let | Token::In => open.end_forms(),
            Token::If if previous == Some(&Token::Else) => {}
            Token::If | Token::Loop | Token::Match | Token::Backslash => open.add_form(),
            _ => {}
        }
        if open.nesting() > NESTING_LIMIT || row > NESTING_LIMIT {
            lexemes[index].token = Err(LexError::TooDeep);
        } else if open.tokens > CHAIN_LIMIT {
            lexemes[index].token = Err(LexError::TooLong);
        }
    }
}

/// True if an expression can end with this token.
fn ends_expression(token: &Token) -> bool {
    use Token::*;
    matches!(
        token,
        Name(_)
            | Constructor(_)
            | DotNumber(_)
            | Natural(_)
            | Integer(_)
            | Float(_)
            | Character(_)
            | String(_)
            | True
            | False
            | Hole
            | RightParen
            | RightBracket
            | RightBrace
    )
}
