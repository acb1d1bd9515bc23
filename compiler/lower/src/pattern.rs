//! Patterns: binding their names, and testing whether they match.

use ravel_base::Symbol;
use ravel_core::Atom;
use ravel_prim::{BinOp, CmpOp};
use ravel_types::tast::{Pattern, PatternNode};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::value::{Env, Value};

impl<'a> Lowering<'_, 'a> {
    /// Binds the names of the pattern to the parts of the value.
    pub fn bind(&mut self, pattern: &'a Pattern, value: Value<'a>, env: &mut Env<'a>) -> Lowered<()> {
        match (&pattern.node, value) {
            (PatternNode::Wildcard | PatternNode::Literal(_), _) => {}
            (PatternNode::Name(id, name), value) => {
                if self.program.is_user(pattern.span) {
                    for leaf in value.data() {
                        self.builder.name(leaf, first_word(*name));
                    }
                }
                env.values.insert(*id, value);
            }
            (PatternNode::Tuple(patterns), Value::Leaf(_)) if patterns.is_empty() => {}
            (PatternNode::Tuple(patterns), Value::Tuple(values)) if patterns.len() == values.len() => {
                for (pattern, value) in patterns.iter().zip(values) {
                    self.bind(pattern, value, env)?;
                }
            }
            (PatternNode::Constructor(name, payload), value) => {
                let values = self.payload(&pattern.ty, *name, value)?.1;
                for (pattern, value) in payload.iter().zip(values) {
                    self.bind(pattern, value, env)?;
                }
            }
            (PatternNode::Tuple(_), _) => {
                return Err(bug(self.span, "a tuple pattern for a value that is not such a tuple"));
            }
        }
        Ok(())
    }

    /// Whether the pattern matches the value.
    pub fn matches(&mut self, pattern: &'a Pattern, value: &Value<'a>) -> Lowered<Atom> {
        match (&pattern.node, value) {
            (PatternNode::Name(..) | PatternNode::Wildcard, _) => Ok(Atom::bool(true)),
            (PatternNode::Literal(literal), value) => {
                let value = self.leaf(value)?;
                Ok(self.check(CmpOp::Eq, value, Atom::Const(*literal)))
            }
            (PatternNode::Tuple(patterns), Value::Leaf(_)) if patterns.is_empty() => Ok(Atom::bool(true)),
            (PatternNode::Tuple(patterns), Value::Tuple(values)) if patterns.len() == values.len() => {
                self.all_match(Atom::bool(true), patterns, values)
            }
            (PatternNode::Constructor(name, payload), value) => {
                let (number, values) = self.payload(&pattern.ty, *name, value.clone())?;
                let tag = self.tag(value)?;
                let is = self.check(CmpOp::Eq, tag, number);
                self.all_match(is, payload, &values)
            }
            (PatternNode::Tuple(_), _) => {
                Err(bug(self.span, "a tuple pattern for a value that is not such a tuple"))
            }
        }
    }

    /// Whether the condition holds and the patterns match.
    fn all_match(&mut self, first: Atom, patterns: &'a [Pattern], values: &[Value<'a>]) -> Lowered<Atom> {
        let mut all = first;
        for (pattern, value) in patterns.iter().zip(values) {
            if all == Atom::bool(false) {
                break;
            }
            let matches = self.matches(pattern, value)?;
            all = self.connect(BinOp::And, all, matches);
        }
        Ok(all)
    }

    /// The atom of a value that is a single leaf: a scalar or an array of primitives.
    pub fn leaf(&self, value: &Value<'a>) -> Lowered<Atom> {
        match value {
            Value::Leaf(atom) => Ok(*atom),
            _ => Err(bug(self.span, "a tuple or function where a scalar or array should be")),
        }
    }

    /// The leaves of a value without functions.
    pub fn leaves(&self, value: &Value<'a>) -> Lowered<Vec<Atom>> {
        value.leaves().ok_or_else(|| self.function_value())
    }
}

/// The first word of a name. The checker adds a second word, which no program can write: `left` of `left operand`.
fn first_word(name: Symbol) -> Symbol {
    match name.as_str().split_once(' ') {
        Some((word, _)) => Symbol::new(word),
        None => name,
    }
}
