//! Tokens: one enum, produced by logos and read by the grammar.
//!
//! The lexer refines what logos produces. A [`Token::Symbol`], with a module path directly before it,
//! becomes the token of its precedence class, or one of the symbols that the grammar names itself. A `[`
//! directly after a name, `)` or `]` becomes [`Token::Index`].

use logos::Logos;
use ravel_base::Symbol;
use ravel_prim::PrimType;

use crate::literal;

/// An infix operator, possibly qualified: `+`, `m.+`.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// The modules before it, outermost first.
    pub quals: Vec<Symbol>,
    /// Its characters.
    pub name: Symbol,
}

/// Why a text is not a token.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LexError {
    /// No token begins like this.
    #[default]
    BadToken,
    /// A literal that is not valid; says why.
    BadLiteral(String),
    /// At this token, too many brackets and forms are open.
    TooDeep,
    /// At this token, the expression has too many tokens outside brackets.
    TooLong,
    /// The file has too many tokens before this one.
    TooLarge,
}

/// A token.
#[derive(Clone, Debug, Logos, PartialEq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[allow(missing_docs, reason = "fixed tokens are named by their text")]
pub enum Token {
    /// A comment up to the end of its line.
    #[regex(r"--[^\n]*", priority = 100, allow_greedy = true)]
    Comment,

    #[token("assert")]
    Assert,
    #[token("case")]
    Case,
    #[token("def")]
    Def,
    #[token("do")]
    Do,
    #[token("else")]
    Else,
    #[token("entry")]
    Entry,
    #[token("false")]
    False,
    #[token("for")]
    For,
    #[token("if")]
    If,
    #[token("import")]
    Import,
    #[token("in")]
    In,
    #[token("include")]
    Include,
    #[token("let")]
    Let,
    #[token("local")]
    Local,
    #[token("loop")]
    Loop,
    #[token("match")]
    Match,
    #[token("module")]
    Module,
    #[token("open")]
    Open,
    #[token("then")]
    Then,
    #[token("true")]
    True,
    #[token("type")]
    Type,
    #[token("val")]
    Val,
    #[token("while")]
    While,
    #[token("with")]
    With,

    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    /// `[` directly after a name, `)` or `]`: it begins an index.
    Index,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("#[")]
    AttributeBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(":>")]
    Coerce,
    #[token(".")]
    Dot,
    #[token("..")]
    Dots,
    #[token("...")]
    DotsInclusive,
    #[token("..<")]
    DotsBelow,
    #[token("..>")]
    DotsAbove,
    #[token("\\")]
    Backslash,
    #[token("`")]
    Backtick,
    #[token("?")]
    Question,
    #[token("???")]
    Hole,
    #[token("_", priority = 10)]
    Underscore,
    #[token("~")]
    Tilde,
    #[token("'")]
    Apostrophe,
    #[token("'~")]
    ApostropheTilde,
    #[token("'^")]
    ApostropheHat,

    /// Any run of operator characters; the lexer replaces it, with the modules in front, by one of the
    /// tokens below.
    #[regex(r"[-+*/%=!><|&^][-+*/%=!><|&^.]*", |lexer| Symbol::new(lexer.slice()))]
    Symbol(Symbol),
    Equals,
    Arrow,
    Minus,
    Star,
    Bang,
    Less,
    Hat,
    Bar,
    /// `|>` and all operators that begin with it.
    PipeRight(Operator),
    /// `<|` and all operators that begin with it.
    PipeLeft(Operator),
    /// `||…`.
    Or(Operator),
    /// `&&…`.
    And(Operator),
    /// `==…`, `!=…`, `<…`, `>…` and all operators of no other class.
    Compare(Operator),
    /// `&…`, `^…`, `|…`.
    Bits(Operator),
    /// `<<…`, `>>…`.
    Shift(Operator),
    /// `+…`, `-…`.
    Add(Operator),
    /// `*…`, `/…`, `%…`.
    Multiply(Operator),
    /// `**…`.
    Power(Operator),

    /// A name.
    #[regex(r"[A-Za-z][A-Za-z0-9_']*|_[A-Za-z0-9][A-Za-z0-9_']*", |lexer| Symbol::new(lexer.slice()))]
    Name(Symbol),
    /// `#name`.
    #[regex(r"#[A-Za-z][A-Za-z0-9_']*|#_[A-Za-z0-9][A-Za-z0-9_']*", |lexer| Symbol::new(&lexer.slice()[1..]))]
    Constructor(Symbol),
    /// `$name`: a variable that an attribute names.
    #[regex(r"\$[A-Za-z][A-Za-z0-9_']*|\$_[A-Za-z0-9][A-Za-z0-9_']*", |lexer| Symbol::new(&lexer.slice()[1..]))]
    Variable(Symbol),
    /// `.0`: a numbered field.
    #[regex(r"\.[0-9][0-9_]*", |lexer| Symbol::new(&lexer.slice()[1..].replace('_', "")))]
    DotNumber(Symbol),

    /// A decimal integer without a suffix.
    #[regex(r"[0-9][0-9_]*", |lexer| literal::integer(lexer.slice()).map(|(value, _)| value))]
    Natural(i128),
    /// Any other integer literal.
    #[regex(r"[0-9][0-9_]*[iu](8|16|32|64)", literal::integer_token)]
    #[regex(r"0[xX][0-9a-fA-F][0-9a-fA-F_]*([iu](8|16|32|64))?", literal::integer_token)]
    #[regex(r"0[bB][01][01_]*([iu](8|16|32|64))?", literal::integer_token)]
    #[regex(r"0[rR][IVXLCDM][IVXLCDM_]*([iu](8|16|32|64))?", literal::integer_token)]
    Integer((i128, Option<PrimType>)),
    /// A literal of a float type.
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?f(16|32|64)", literal::float_token)]
    #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*([eE][+-]?[0-9]+)?", literal::float_token)]
    #[regex(r"[0-9][0-9_]*[eE][+-]?[0-9]+", literal::float_token)]
    #[regex(
        r"0[xX][0-9a-fA-F][0-9a-fA-F_]*\.[0-9a-fA-F][0-9a-fA-F_]*[pP][+-]?[0-9_]+(f(16|32|64))?",
        literal::float_token
    )]
    Float((String, Option<PrimType>)),
    /// `'c'`.
    #[regex(r"'[^'\\\n]'", literal::character_token)]
    #[regex(r"'\\([^0-9\n]|[0-9]+|x[0-9a-fA-F]+|o[0-7]+)'", literal::character_token)]
    Character(char),
    /// `"…"`.
    #[regex(r#""([^"\\\n]|\\[^\n])*""#, literal::string_token)]
    #[regex(r#""([^"\\\n]|\\[^\n])*"#, literal::unterminated)]
    String(String),
}

impl Token {
    /// Whether it is a word of the language, which cannot be a name.
    pub(crate) fn is_keyword(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Assert
                | Case
                | Def
                | Do
                | Else
                | Entry
                | False
                | For
                | If
                | Import
                | In
                | Include
                | Let
                | Local
                | Loop
                | Match
                | Module
                | Open
                | Then
                | True
                | Type
                | Val
                | While
                | With
        )
    }
}

impl Operator {
    /// The token of this operator. If the grammar names the operator, it has a token of its own. Otherwise it has the
    /// token of its precedence class, which the longest built-in operator that it begins with determines.
    pub fn classify(self) -> Token {
        type Class = fn(Operator) -> Token;
        const CLASSES: &[(&str, Class)] = &[
            ("|>", Token::PipeRight),
            ("<|", Token::PipeLeft),
            ("||", Token::Or),
            ("&&", Token::And),
            ("<<", Token::Shift),
            (">>", Token::Shift),
            ("**", Token::Power),
            ("&", Token::Bits),
            ("^", Token::Bits),
            ("|", Token::Bits),
            ("+", Token::Add),
            ("-", Token::Add),
            ("*", Token::Multiply),
            ("/", Token::Multiply),
            ("%", Token::Multiply),
        ];
        if self.quals.is_empty() {
            match self.name.as_str() {
                "=" => return Token::Equals,
                "->" => return Token::Arrow,
                "-" => return Token::Minus,
                "*" => return Token::Star,
                "!" => return Token::Bang,
                "<" => return Token::Less,
                "^" => return Token::Hat,
                "|" => return Token::Bar,
                _ => {}
            }
        }
        let name = self.name.as_str();
        let class = CLASSES.iter().find(|(prefix, _)| name.starts_with(prefix));
        class.map_or(Token::Compare as Class, |(_, class)| *class)(self)
    }
}
