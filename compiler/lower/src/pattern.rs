//! Patterns: taking values apart.

use ravel_base::Symbol;
use ravel_core::Atom;
use ravel_types::tast::{Pattern, PatternNode};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::value::{Env, Value};

impl<'a> Lowering<'_, 'a> {
    /// Binds the names of the pattern to the parts of the value.
    pub fn bind(&mut self, pattern: &'a Pattern, value: Value<'a>, env: &mut Env<'a>) -> Lowered<()> {
        match (&pattern.node, value) {
            (PatternNode::Wildcard, _) => {}
            (PatternNode::Name(id, name), value) => {
                if self.is_user(pattern.span) {
                    for leaf in value.leaves().unwrap_or_default() {
                        self.builder.name(leaf, plain(*name));
                    }
                }
                env.values.insert(*id, value);
            }
            (PatternNode::Tuple(patterns), Value::Tuple(values)) if patterns.len() == values.len() => {
                for (pattern, value) in patterns.iter().zip(values) {
                    self.bind(pattern, value, env)?;
                }
            }
            (PatternNode::Tuple(_), _) => {
                return Err(bug(self.span, "a tuple pattern for a value that is no such tuple"));
            }
        }
        Ok(())
    }

    /// The only leaf of a value that is a scalar or an array of primitives.
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

/// A name without what sets it apart from all that programs can write: `left` of `left operand`.
fn plain(name: Symbol) -> Symbol {
    match name.as_str().split_once(' ') {
        Some((word, _)) => Symbol::new(word),
        None => name,
    }
}
