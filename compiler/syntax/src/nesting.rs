//! The limits that keep recursion over the tree from exhausting the stack.
//!
//! They are found in the tokens, before any tree is built, by what is open at a token:
//!
//! - at most [`NESTING_LIMIT`] brackets and forms with a body (`if`, `loop`, `match`, lambdas), and
//!   at most as many prefix operators or array dimensions in a row;
//! - at most [`CHAIN_LIMIT`] tokens outside inner brackets, which bounds the depth of chains of `let`,
//!   of operators and of arguments.
//!
//! A form's body ends at the latest with its bracket, at a comma, or where the next `let` or `in`
//! stands; a tree can therefore be less deep than is counted here, never deeper than the chain limit.

use ravel_base::NESTING_LIMIT;

use crate::lexer::Lexeme;
use crate::token::{LexError, Token};

/// How many tokens an expression may have outside inner brackets and commas.
const CHAIN_LIMIT: usize = 100_000;

/// What is open inside one bracket.
#[derive(Default)]
struct Frame {
    /// Forms whose bodies have not ended.
    forms: usize,
    /// Tokens since the bracket or the last comma.
    tokens: usize,
}

/// Marks the tokens that are nested too deeply as errors.
pub(crate) fn mark_deep(lexemes: &mut [Lexeme]) {
    let mut frames = vec![Frame::default()];
    let (mut forms, mut tokens) = (0, 0);
    let mut row = 0;
    for index in 0..lexemes.len() {
        if lexemes[index].unindented && lexemes[index].begins_declaration() {
            frames = vec![Frame::default()];
            (forms, tokens) = (0, 0);
        }
        let previous = index.checked_sub(1).and_then(|index| lexemes[index].token.as_ref().ok());
        let Ok(token) = &lexemes[index].token else { continue };
        row = match token {
            Token::Minus | Token::Bang | Token::Star => row + 1,
            Token::LeftBracket | Token::Index if previous == Some(&Token::RightBracket) => row + 1,
            Token::RightBracket | Token::LeftBracket | Token::Index => row,
            _ => 0,
        };
        let outermost = frames.len() == 1;
        let frame = frames.last_mut().expect("the outermost frame is never closed");
        frame.tokens += 1;
        tokens += 1;
        match token {
            Token::LeftParen
            | Token::LeftBracket
            | Token::Index
            | Token::LeftBrace
            | Token::AttributeBracket => {
                frames.push(Frame::default());
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace if !outermost => {
                forms -= frame.forms;
                tokens -= frame.tokens;
                frames.pop();
            }
            Token::Comma => {
                forms -= frame.forms;
                tokens -= frame.tokens;
                *frame = Frame::default();
            }
            Token::Let | Token::In => {
                forms -= frame.forms;
                frame.forms = 0;
            }
            Token::If | Token::Loop | Token::Match | Token::Backslash => {
                frame.forms += 1;
                forms += 1;
            }
            _ => {}
        }
        if frames.len() - 1 + forms > NESTING_LIMIT || row > NESTING_LIMIT {
            lexemes[index].token = Err(LexError::TooDeep);
        } else if tokens > CHAIN_LIMIT {
            lexemes[index].token = Err(LexError::TooLong);
        }
    }
}
