//! Statements with their origins.

use std::sync::Arc;

use ravel_base::{Origin, Span};

use super::{Level, Stm};

/// A step of a body: a statement, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<L: Level> {
    /// The origin, shared by the statements that come from one statement of core IR.
    pub origin: Arc<Origin>,
    /// The statement.
    pub stm: Stm<L>,
}

impl<L: Level> Step<L> {
    /// A statement of this origin.
    pub fn new(origin: &Arc<Origin>, stm: Stm<L>) -> Step<L> {
        Step { origin: Arc::clone(origin), stm }
    }

    /// Statements of one origin.
    pub fn all(
        origin: &Arc<Origin>,
        stms: impl IntoIterator<Item = Stm<L>>,
    ) -> impl Iterator<Item = Step<L>> {
        stms.into_iter().map(|stm| Step::new(origin, stm))
    }

    /// The main place in the source.
    pub fn place(&self) -> Option<Span> {
        self.origin.place()
    }

    /// Records that a rule fired on the statement.
    pub fn add_rule(&mut self, rule: &'static str) {
        Arc::make_mut(&mut self.origin).add_rule(rule);
    }
}
