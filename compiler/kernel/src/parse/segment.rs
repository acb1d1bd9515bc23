//! Segments.

use std::sync::Arc;

use ravel_base::Symbol;
use ravel_prim::PrimType;

use super::lex::Token;
use super::{Parsed, Parser};
use crate::syntax::*;

/// A level whose segments can be parsed.
pub(super) trait ParsedLevel: Level {
    fn parse_segment(parser: &mut Parser) -> Parsed<Self::Segment>;
}

impl ParsedLevel for Host {
    fn parse_segment(parser: &mut Parser) -> Parsed<GridSegment> {
        let Head { start, word, hint, space } = parser.segment_head()?;
        parser.keyword("chunk")?;
        let chunk = parser.atom()?;
        let lanes = parser.take_word("lanes").then(|| parser.lane_choice()).transpose()?;
        parser.enter()?;
        let points = match word {
            "blocks" => Points::Workgroups(parser.body()?),
            _ => {
                let (kind, body) =
                    parser.threads((start, word), "a `map`, a `reduce`, a `scan` or `blocks`")?;
                Points::Threads { kind, body }
            }
        };
        Ok(GridSegment { hint, space, chunk, lanes, points })
    }
}

impl Parser<'_> {
    fn lane_choice(&mut self) -> Parsed<LaneChoice> {
        match LaneChoice::ALL.into_iter().find(|choice| self.take_word(choice.word())) {
            Some(choice) => Ok(choice),
            None => self.fail("expected `outer`, `inner` or `no`"),
        }
    }
}

impl ParsedLevel for Workgroup {
    fn parse_segment(parser: &mut Parser) -> Parsed<InnerSegment> {
        let Head { start, word, hint, space } = parser.segment_head()?;
        parser.enter()?;
        let (kind, body) = parser.threads((start, word), "a `map`, a `reduce` or a `scan`")?;
        Ok(InnerSegment { hint, space, kind, body })
    }
}

impl ParsedLevel for Thread {
    fn parse_segment(parser: &mut Parser) -> Parsed<NoSegment> {
        parser.fail("there are no segments inside a thread")
    }
}

/// `segment map "hint" (i < n)`
struct Head<'a> {
    /// The token of the word.
    start: usize,
    word: &'a str,
    hint: Option<Symbol>,
    space: Vec<(Var, Atom)>,
}

impl<'a> Parser<'a> {
    /// ` at file:start..end`, if it is there: the place of the segment whose code follows.
    fn enter(&mut self) -> Parsed<()> {
        self.origin = Arc::new(self.at()?.map(Origin::at).unwrap_or_default());
        Ok(())
    }

    fn segment_head(&mut self) -> Parsed<Head<'a>> {
        self.keyword("segment")?;
        let start = self.next;
        let word = self.word()?;
        let hint = match self.peek() {
            Token::Text(_) => Some(Symbol::new(&self.quoted()?)),
            _ => None,
        };
        let space = self.list("(", ")", |p| {
            let index = p.bind_as(Type::Scalar(PrimType::I64))?;
            p.sign("<")?;
            Ok((index, p.atom()?))
        })?;
        Ok(Head { start, word, hint, space })
    }

    /// The code of the threads of a segment with this word, which is that token.
    fn threads(
        &mut self,
        (start, word): (usize, &str),
        expected: &str,
    ) -> Parsed<(SegmentKind, Body<Thread>)> {
        let body = self.body()?;
        let mut combiners = Vec::new();
        while self.take_word("combine") {
            combiners.push(self.combiner()?);
        }
        let kind = match word {
            "map" if combiners.is_empty() => SegmentKind::Map,
            "reduce" => SegmentKind::Reduce(combiners),
            "scan" => {
                let finish = self.take_word("finish").then(|| self.finish()).transpose()?;
                SegmentKind::Scan(combiners, finish)
            }
            _ => return self.fail_at(start, format!("a segment is {expected}")),
        };
        Ok((kind, body))
    }

    fn finish(&mut self) -> Parsed<Finish> {
        Ok(Finish { prefixes: self.list("(", ")", Self::binder)?, body: self.body()? })
    }

    fn combiner(&mut self) -> Parsed<Combiner> {
        let left = self.list("(", ")", Self::binder)?;
        let right = self.list("(", ")", Self::binder)?;
        self.keyword("neutral")?;
        let neutral = self.list("(", ")", Self::atom)?;
        self.keyword("into")?;
        let outs = self.list("(", ")", Self::var)?;
        let commutative = self.take_word("commutative");
        Ok(Combiner { left, right, neutral, outs, commutative, body: self.body()? })
    }
}
