//! Tokens: fresh variables that stand for memory which no variable of the program names.
//!
//! | token | stands for |
//! | --- | --- |
//! | of a constant | a part of a top-level constant that need not be an array ([`super::constants`]) |
//! | of a function | the parts of top-level constants that its results may be ([`super::constants`]) |
//! | of an application | memory made by it, which components of its result may share |
//! | of sharing | memory made by an application, which may share memory with itself ([`super::sharing`]) |
//! | of makers | what functions that make such memory have in common ([`super::sharing`]) |
//! | of branches | memory that components of the result of an `if` or `match` may share |
//! | of a component | the memory of a component that may be copied ([`super::component`]) |

use ravel_base::Symbol;

use super::alias::Aliases;
use super::results::Applied;
use super::{Consumption, Unconsumable};
use crate::tast::ValueId;

/// The expression that made the memory for which a token stands.
pub(super) enum Origin {
    /// An application of this function, as written.
    Application(Symbol),
    /// All applications of the function with this name.
    Results(Symbol),
    /// An `if`.
    If,
    /// A `match`.
    Match,
}

impl Consumption<'_, '_> {
    /// Gives a token or component the name of the whole, for messages.
    pub(super) fn name_after(&mut self, component: ValueId, whole: ValueId) {
        if let Some(&name) = self.checker.names.get(&whole) {
            self.checker.names.insert(component, name);
        }
    }

    /// A token for memory that nothing may consume.
    pub(super) fn unconsumable_token(&mut self, reason: Unconsumable) -> ValueId {
        let token = self.checker.fresh_value();
        self.bind_name(token, Aliases::one(token), Some(reason));
        token
    }

    /// A token for memory made by an application or shared by the branches of an `if` or `match`.
    pub(super) fn token(&mut self, origin: Origin) -> ValueId {
        let token = self.checker.fresh_value();
        self.bind_name(token, Aliases::one(token), None);
        self.origins.insert(token, origin);
        token
    }

    /// A token for memory made by an application.
    pub(super) fn application_token(&mut self, applied: &Applied) -> ValueId {
        let token = self.token(Origin::Application(self.checker.quote(applied.function.span)));
        self.note_aliases(token, &Aliases::Whole(applied.all().chain([token]).collect()));
        token
    }

    /// Records the aliases of the values that have this variable among their aliases.
    pub(super) fn note_aliases(&mut self, id: ValueId, aliases: &Aliases) {
        if let Some(variable) = self.variables.get_mut(&id) {
            variable.aliases = aliases.clone();
        }
    }
}
