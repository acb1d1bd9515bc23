//! Expressions of core text. Each form starts with its own keyword, except atoms, indexing,
//! updates and array literals.

use ravel_prim::{BinOp, CmpOp, UnOp};

use super::lex::Kind;
use super::{Parsed, Parser};
use crate::syntax::*;

impl Parser<'_> {
    /// Forms with nested bodies are parsed from here, in a small stack frame, so that deep nesting needs little stack.
    pub(super) fn exp(&mut self) -> Parsed<Exp> {
        if self.has_word("if") {
            self.branch()
        } else if self.has_word("loop") {
            self.loop_exp()
        } else if self.has_word("screma") {
            let width = self.atom()?;
            Ok(Exp::Screma(Box::new(self.screma(width)?)))
        } else if self.has_word("segment") {
            self.segment()
        } else if self.has_word("stream") {
            self.stream()
        } else {
            self.flat_exp()
        }
    }

    /// An expression without bodies.
    fn flat_exp(&mut self) -> Parsed<Exp> {
        let Kind::Word(word) = self.peek().clone() else {
            return if self.is_sign("[") {
                Ok(Exp::ArrayLit(self.list("[", "]", Parser::atom)?))
            } else {
                self.atom_or_array()
            };
        };
        self.at += 1;
        Ok(match &word[..] {
            "convert" => Exp::Convert(self.prim_type()?, self.atom()?),
            "trust" => Exp::Trust(self.atom()?),
            "param" => Exp::Param(self.text_symbol()?, self.number()?),
            "slice" => Exp::Slice(self.var()?, self.dims()?),
            "iota" => Exp::Iota { count: self.atom()?, start: self.atom()?, stride: self.atom()? },
            "replicate" => Exp::Replicate { count: self.atom()?, value: self.atom()? },
            "scratch" => Exp::Scratch,
            "copy" => Exp::Copy(self.var()?),
            "rearrange" => Exp::Rearrange(self.var()?, self.list("(", ")", Parser::number)?),
            "reshape" => Exp::Reshape(self.var()?),
            "manifest" => {
                let (perm, array) = (self.list("(", ")", Parser::number)?, self.var()?);
                let cond = if self.has_word("if") { self.atom()? } else { Atom::bool(true) };
                Exp::Manifest(perm, array, cond)
            }
            "concat" => Exp::Concat(self.list("(", ")", Parser::var)?),
            "assert" => self.assertion()?,
            "call" => {
                let (function, args) = (self.symbol()?, self.atoms()?);
                Exp::Call(Call { function, args, path: self.path()? })
            }
            _ => {
                if let Some(op) = BinOp::from_name(&word) {
                    Exp::Binary(op, self.atom()?, self.atom()?)
                } else if let Some(op) = UnOp::from_name(&word) {
                    Exp::Unary(op, self.atom()?)
                } else if let Some(op) = CmpOp::from_name(&word) {
                    Exp::Compare(op, self.atom()?, self.atom()?)
                } else {
                    self.at -= 1;
                    self.atom_or_array()?
                }
            }
        })
    }

    /// `x`, `xs[i]` or `xs with [i] = x`.
    fn atom_or_array(&mut self) -> Parsed<Exp> {
        let start = self.at;
        let atom = self.atom()?;
        let Atom::Var(array) = atom else { return Ok(Exp::Atom(atom)) };
        if self.is_sign("[") {
            return Ok(Exp::Index(array, self.list("[", "]", Parser::atom)?));
        }
        if !self.has_word("with") {
            self.at = start + 1;
            return Ok(Exp::Atom(atom));
        }
        let slice = self.dims()?;
        self.sign("=")?;
        Ok(Exp::Update { array, slice, value: self.atom()? })
    }

    /// `[i, start : count : stride]`.
    fn dims(&mut self) -> Parsed<Vec<DimSlice>> {
        self.list("[", "]", |parser| {
            let start = parser.atom()?;
            if !parser.has_sign(":") {
                return Ok(DimSlice::Fix(start));
            }
            let count = parser.atom()?;
            parser.sign(":")?;
            Ok(DimSlice::Range { start, count, stride: parser.atom()? })
        })
    }

    fn branch(&mut self) -> Parsed<Exp> {
        let cond = self.atom()?;
        self.word("then")?;
        let then = self.body()?;
        self.word("else")?;
        Ok(Exp::If { cond, then, otherwise: self.body()? })
    }

    fn loop_exp(&mut self) -> Parsed<Exp> {
        let params = self.list("(", ")", |parser| {
            let param = parser.binder()?;
            parser.sign("=")?;
            Ok((param, parser.atom()?))
        })?;
        let form = if self.has_word("while") {
            LoopForm::While(self.var()?)
        } else {
            self.word("for")?;
            let index = self.binder()?;
            self.sign("<")?;
            LoopForm::For { index, bound: self.atom()? }
        };
        self.word("do")?;
        Ok(Exp::Loop(Loop { params, form, body: self.body()? }))
    }

    fn assertion(&mut self) -> Parsed<Exp> {
        let cond = self.atom()?;
        let values = self.atoms()?;
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                Kind::Text(text) => {
                    parts.push(ErrorPart::Text(text.clone()));
                    self.at += 1;
                }
                Kind::Word(word) if word == "let" || word == "in" => break,
                Kind::Word(_) | Kind::Quoted(..) | Kind::Number(_) => {
                    parts.push(ErrorPart::Value(self.atom()?));
                }
                _ => break,
            }
        }
        Ok(Exp::Assert { cond, values, error: ErrorMessage { parts, path: self.path()? } })
    }

    /// `segment grid (i < n, j < m) block { … }`.
    fn segment(&mut self) -> Parsed<Exp> {
        let level = self.level()?;
        let mut outer = self.list("(", ")", |parser| {
            let index = parser.counter()?;
            parser.sign("<")?;
            Ok((index, parser.atom()?))
        })?;
        let Some((index, width)) = outer.pop() else { return self.error("a segment without a counter") };
        let points = if self.is_sign("{") { Level::Thread } else { self.level()? };
        let screma = self.screma(width)?;
        Ok(Exp::Segment(Box::new(Segment { level, points, outer, index, screma })))
    }

    fn level(&mut self) -> Parsed<Level> {
        if self.has_word("grid") {
            Ok(Level::Grid)
        } else if self.has_word("block") {
            Ok(Level::Workgroup)
        } else if self.has_word("thread") {
            Ok(Level::Thread)
        } else {
            self.expected("`grid`, `block` or `thread`")
        }
    }

    /// A Screma of this width: its sources, functions and sinks, between braces.
    fn screma(&mut self, width: Atom) -> Parsed<Screma> {
        self.sign("{")?;
        let mut sources = Vec::new();
        if self.has_word("from") {
            sources.push(self.source()?);
            while self.has_sign(",") {
                sources.push(self.source()?);
            }
        }
        self.word("map")?;
        let map = self.lambda()?;
        let mut scans = Vec::new();
        while self.has_word("scan") {
            scans.push(Scan { op: self.lambda()?, neutral: self.atoms()?, path: None });
        }
        let post = if self.has_word("post") { Some(self.lambda()?) } else { None };
        let mut sinks = Vec::new();
        while self.has_word("to") {
            sinks.push(self.sink()?);
        }
        self.sign("}")?;
        Ok(Screma { width, sources, map, scans, post, sinks })
    }

    fn stream(&mut self) -> Parsed<Exp> {
        let width = self.atom()?;
        self.sign("{")?;
        let mut sources = Vec::new();
        if self.has_word("from") {
            sources.push(self.var()?);
            while self.has_sign(",") {
                sources.push(self.var()?);
            }
        }
        self.word("chunk")?;
        let chunk = self.lambda()?;
        let mut sinks = Vec::new();
        while self.has_word("to") {
            sinks.push(if self.has_word("map") {
                StreamSink::Map
            } else if self.has_word("reduce") {
                let op = self.lambda()?;
                let neutral = if self.is_sign("(") { Some(self.atoms()?) } else { None };
                StreamSink::Reduce { op, neutral }
            } else {
                return self.expected("`map` or `reduce`");
            });
        }
        self.sign("}")?;
        Ok(Exp::Stream(Box::new(Stream { width, sources, chunk, sinks })))
    }

    fn source(&mut self) -> Parsed<Source> {
        if self.has_word("iota") {
            return Ok(Source::Iota { start: self.atom()?, stride: self.atom()? });
        }
        Ok(Source::Array(self.var()?))
    }

    fn sink(&mut self) -> Parsed<Sink> {
        if self.has_word("map") {
            Ok(Sink::Map)
        } else if self.has_word("concat") {
            let count = self.atom()?;
            self.word("by")?;
            Ok(Sink::Concat { count, size: self.atom()? })
        } else if self.has_word("reduce") {
            let commutative = self.has_word("commutative");
            Ok(Sink::Reduce { op: self.lambda()?, neutral: self.atoms()?, commutative })
        } else if self.has_word("write") {
            let target = self.var()?;
            self.word("rank")?;
            Ok(Sink::Write { target, rank: self.number()? })
        } else if self.has_word("combine") {
            let targets = self.list("(", ")", Parser::var)?;
            Ok(Sink::Combine { targets, op: self.lambda()?, neutral: self.atoms()? })
        } else {
            self.expected("`map`, `concat`, `reduce`, `write` or `combine`")
        }
    }

    fn lambda(&mut self) -> Parsed<Lambda> {
        self.sign("\\")?;
        let params = self.list("(", ")", Parser::binder)?;
        self.sign("->")?;
        Ok(Lambda { params, body: self.body()? })
    }
}
