//! Bodies and statements.

use std::sync::Arc;

use ravel_base::{NESTING_LIMIT, Symbol};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use super::lex::Token;
use super::segment::ParsedLevel;
use super::{Parsed, Parser};
use crate::syntax::*;

impl Parser<'_> {
    pub(super) fn body<L: ParsedLevel>(&mut self) -> Parsed<Body<L>> {
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            return self.fail("nested too deeply");
        }
        self.sign("{")?;
        let key = self.results.body();
        let mut stms = Vec::new();
        while !matches!(self.peek(), Token::Sign("}") | Token::Word("yield")) {
            let (around, start) = (self.origin.clone(), self.next);
            self.results.enter(self.tokens[start].0.start);
            let stm = self.stm()?;
            self.end_of_stm(start, around, stm, &mut stms);
        }
        let result = self.end_of_body(key)?;
        self.depth -= 1;
        Ok(Body { stms, result })
    }

    /// `yield a, b }`, or only `}`. The body has this key in the table of results. Separate from [`Self::body`], so that nested
    /// statements need little stack.
    fn end_of_body(&mut self, key: Option<(u32, usize)>) -> Parsed<Vec<Atom>> {
        let start = self.next;
        let mut result = Vec::new();
        if self.take_word("yield") {
            result.push(self.atom()?);
            while self.take_sign(",") {
                result.push(self.atom()?);
            }
        }
        let end = self.next.max(start + 1) - 1;
        if let Some(file) = self.file {
            self.results.record(key, file, self.tokens[start].0.start..self.tokens[end].0.end);
        }
        self.sign("}")?;
        Ok(result)
    }

    /// Adds a statement that begins at this token. A segment has the origin that its head states; other statements have that
    /// of the segment `around` them. But if origins describe the text, it is the place in the text. Separate from
    /// [`Self::body`], so that nested statements need little stack.
    #[expect(clippy::boxed_local, reason = "the caller has only a box in its frame")]
    fn end_of_stm<L: Level>(
        &mut self,
        start: usize,
        around: Arc<Origin>,
        stm: Box<Stm<L>>,
        stms: &mut Vec<Step<L>>,
    ) {
        self.results.leave();
        let stated = std::mem::replace(&mut self.origin, around);
        let origin = self.origin_from(start).map_or(stated, Arc::new);
        stms.push(Step { origin, stm: *stm });
    }

    /// Boxed, and separate from [`Self::simple_stm`], so that nested statements need little stack.
    fn stm<L: ParsedLevel>(&mut self) -> Parsed<Box<Stm<L>>> {
        match self.peek() {
            Token::Word("if") => self.if_stm(),
            Token::Word("loop") => self.loop_stm(),
            Token::Word("segment") => L::parse_segment(self).map(|segment| Box::new(Stm::Segment(segment))),
            Token::Word("call") => self.call_stm().map(Box::new),
            _ => self.simple_stm().map(Box::new),
        }
    }

    fn simple_stm<L: ParsedLevel>(&mut self) -> Parsed<Stm<L>> {
        let Token::Word(word) = self.peek() else { return self.fail("expected a statement") };
        let words = [
            "let",
            "view",
            "alloc",
            "constants",
            "load",
            "store",
            "combine",
            "copy",
            "assert",
            "trace",
            "bins",
            "choose",
        ];
        if !words.contains(&word) {
            return self.fail("expected a statement");
        }
        self.advance();
        Ok(match word {
            "let" => {
                let var = self.binder()?;
                if self.take_sign(",") {
                    return self.sine_cosine(var);
                }
                self.sign("=")?;
                Stm::Let { var, exp: self.exp()? }
            }
            "view" => Stm::View(self.view()?),
            "alloc" => {
                let block = self.binder()?;
                self.sign("=")?;
                Stm::Alloc { block, count: self.atom()? }
            }
            "constants" => {
                let block = self.binder()?;
                self.sign("=")?;
                Stm::Constants { block, values: self.list("[", "]", Self::constant)? }
            }
            "load" => {
                let var = self.binder()?;
                self.sign("=")?;
                let (array, indices) = self.element()?;
                Stm::Load { var, array, indices }
            }
            "store" => {
                let (array, indices) = self.element()?;
                self.sign("=")?;
                Stm::Store { array, indices, value: self.atom()? }
            }
            "combine" => {
                let op = match self.peek() {
                    Token::Word(word) => BinOp::from_name(word),
                    _ => None,
                };
                let Some(op) = op else { return self.fail("expected an operator of two operands") };
                self.advance();
                let (array, indices) = self.element()?;
                self.sign("=")?;
                Stm::Combine { array, indices, op, value: self.atom()? }
            }
            "copy" => {
                let to = self.var()?;
                self.sign("=")?;
                Stm::Copy { to, from: self.var()? }
            }
            "trace" | "bins" => {
                let kind = if word == "bins" { TraceKind::Bins } else { TraceKind::Shown };
                let (label, span) = (Symbol::new(&self.quoted()?), self.at()?);
                let values = self.list("(", ")", Self::result_type)?;
                Stm::Trace {
                    trace: Trace { kind, label, span, values },
                    args: self.list("(", ")", Self::atom)?,
                }
            }
            "choose" => {
                let (name, first) = (Symbol::new(&self.quoted()?), Symbol::new(&self.quoted()?));
                self.keyword("if")?;
                let cond = self.atom()?;
                self.keyword("else")?;
                let names = [first, Symbol::new(&self.quoted()?)];
                Stm::Choose { versions: Versions { name, names }, cond }
            }
            _ => {
                let cond = self.atom()?;
                let message = self.message_id()?;
                Stm::Assert { cond, message, args: self.list("(", ")", Self::atom)? }
            }
        })
    }

    fn sine_cosine<L: ParsedLevel>(&mut self, sine: Var) -> Parsed<Stm<L>> {
        let cosine = self.binder()?;
        self.sign("=")?;
        self.keyword("sine_cosine")?;
        self.sign("(")?;
        let angle = self.atom()?;
        self.sign(")")?;
        Ok(Stm::SineCosine { sine, cosine, angle })
    }

    fn if_stm<L: ParsedLevel>(&mut self) -> Parsed<Box<Stm<L>>> {
        self.keyword("if")?;
        let cond = self.atom()?;
        let then = self.body()?;
        self.keyword("else")?;
        let otherwise = self.body()?;
        Ok(Box::new(Stm::If { binders: self.bound_to()?, cond, then, otherwise }))
    }

    fn call_stm<L: ParsedLevel>(&mut self) -> Parsed<Stm<L>> {
        self.keyword("call")?;
        let function = Symbol::new(&self.quoted()?);
        let args = self.list("(", ")", |p| {
            let consumed = p.take_sign("*");
            Ok(Argument { value: p.atom()?, consumed })
        })?;
        let site = if self.take_word("at") { Some(self.message_id()?) } else { None };
        Ok(Stm::Call { binders: self.bound_to()?, function, args, site })
    }

    /// `name: elem [shape] = block + offset * [strides]`
    fn view(&mut self) -> Parsed<Var> {
        let start = self.next;
        let name = self.word()?;
        self.sign(":")?;
        let elem = self.prim()?;
        let shape = self.list("[", "]", Self::atom)?;
        self.sign("=")?;
        let block = self.var()?;
        self.sign("+")?;
        let offset = self.atom()?;
        self.sign("*")?;
        let strides = self.list("[", "]", Self::atom)?;
        self.bind(start, name, Type::Array(View { elem, shape, block, offset, strides }))
    }

    /// `array[indices]`
    fn element(&mut self) -> Parsed<(Var, Vec<Atom>)> {
        Ok((self.var()?, self.list("[", "]", Self::atom)?))
    }

    fn bound_to(&mut self) -> Parsed<Vec<Var>> {
        if self.take_sign("->") { self.list("(", ")", Self::binder) } else { Ok(Vec::new()) }
    }

    fn loop_stm<L: ParsedLevel>(&mut self) -> Parsed<Box<Stm<L>>> {
        self.keyword("loop")?;
        let params = self.list("(", ")", |p| {
            let var = p.binder()?;
            p.sign("=")?;
            Ok((var, p.atom()?))
        })?;
        let form = if self.take_word("while") {
            LoopForm::While(self.var()?)
        } else {
            let reduces = self.take_word("reduce");
            if !reduces {
                self.keyword("for")?;
            }
            let index = self.binder()?;
            self.sign("<")?;
            LoopForm::For { index, bound: self.atom()?, reduces }
        };
        let body = self.body()?;
        Ok(Box::new(Stm::Loop { binders: self.bound_to()?, params, form, body }))
    }

    fn exp(&mut self) -> Parsed<ScalarExp> {
        let next = self.tokens.get(self.next + 1).map(|&(_, token)| token);
        let called = matches!(next, Some(Token::Sign("(")));
        let Token::Word(word) = self.peek() else { return Ok(ScalarExp::Atom(self.atom()?)) };
        if word == "param" && matches!(next, Some(Token::Text(_))) {
            self.advance();
            let name = Symbol::new(&self.quoted()?);
            let start = self.next;
            let Atom::Const(PrimValue::I64(default)) = self.atom()? else {
                return self.fail_at(start, "the default of a parameter is an i64");
            };
            return Ok(ScalarExp::Param(name, default));
        }
        if !called {
            return Ok(ScalarExp::Atom(self.atom()?));
        }
        let start = self.next;
        self.advance();
        let operands = self.list("(", ")", Self::atom)?;
        let exp = match operands[..] {
            [a] if word == "private_limit" => Some(ScalarExp::PrivateLimit(a)),
            [a] => match (UnOp::from_name(word), PrimType::from_name(word)) {
                (Some(op), _) => Some(ScalarExp::Unary(op, a)),
                (_, Some(ty)) => Some(ScalarExp::Convert(ty, a)),
                _ => None,
            },
            [a, b] => match (BinOp::from_name(word), CmpOp::from_name(word)) {
                (Some(op), _) => Some(ScalarExp::Binary(op, a, b)),
                (_, Some(op)) => Some(ScalarExp::Compare(op, a, b)),
                _ => None,
            },
            [c, a, b] if word == "select" => Some(ScalarExp::Select(c, a, b)),
            _ => None,
        };
        match exp {
            Some(exp) => Ok(exp),
            None => {
                self.fail_at(start, format!("`{word}` is not an operator of {} operands", operands.len()))
            }
        }
    }
}
