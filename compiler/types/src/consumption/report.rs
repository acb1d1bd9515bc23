//! The messages about consumption.

use ravel_base::{Code, Diagnostic, Section, Span};

use super::alias::Aliases;
use super::token::Origin;
use super::{Barrier, Consumption, Unconsumable};
use crate::tast::ValueId;

impl Consumption<'_, '_> {
    /// Reports the use of a variable with these aliases, if one of them has been consumed.
    pub(super) fn check_use(&mut self, id: ValueId, aliases: &Aliases, span: Span) {
        let is_consumed = |alias: &ValueId| self.consumed.contains_key(alias);
        let Some(alias) = self.best_alias(aliases.iter().filter(is_consumed), id) else { return };
        let (name, other, place) = (self.name(id), self.name(alias), self.place_of_consumption(alias));
        let (used, note) = match other == name {
            true => (&name, None),
            false if self.is_named(alias) => (&other, Some(format!("{name} aliases {other}"))),
            false => (&name, Some(format!("{name} was consumed as {other}, which it aliases"))),
        };
        let message = format!("Using variable {used}, but this was consumed{place}");
        self.report_use(alias, span, message, note);
    }

    /// Reports the use of a value that was evaluated earlier, when the consumption log had `since` entries, if one of
    /// its aliases was consumed since then. Returns whether there is one.
    pub(super) fn observe_later(&mut self, aliases: &Aliases, since: usize, span: Span) -> bool {
        self.observe_later_with(aliases, since, span, None)
    }

    /// As [`Self::observe_later`], with a note for the message.
    pub(super) fn observe_later_with(
        &mut self,
        aliases: &Aliases,
        since: usize,
        span: Span,
        note: Option<&str>,
    ) -> bool {
        let is_consumed = |alias: &ValueId| self.consumption_log[since..].contains(alias);
        let mut consumed = aliases.iter().filter(is_consumed).collect::<Vec<_>>();
        consumed.sort_by_key(|&alias| !self.is_named(alias));
        let Some(&alias) = consumed.first() else { return false };
        let (name, place) = (self.name(alias), self.place_of_consumption(alias));
        let what = if self.is_named(alias) { "variable" } else { "a value that aliases" };
        let message = format!("Using {what} {name}, but this was consumed{place}");
        self.report_use(alias, span, message, note.map(str::to_owned));
        true
    }

    /// Of these aliases, one with the name of the variable if there is one, otherwise one with a name.
    fn best_alias(&self, aliases: impl Iterator<Item = ValueId>, id: ValueId) -> Option<ValueId> {
        let own = self.name(id);
        aliases.min_by_key(|&alias| (self.name(alias) != own, !self.is_named(alias)))
    }

    fn is_named(&self, id: ValueId) -> bool {
        self.checker.names.contains_key(&id)
    }

    /// Where the variable was consumed, such as " at 3:5".
    fn place_of_consumption(&self, id: ValueId) -> String {
        let Some(&span) = self.consumed.get(&id) else { return String::new() };
        format!(" at {}", self.checker.position(span))
    }

    fn report_use(&mut self, consumed: ValueId, span: Span, message: String, note: Option<String>) {
        let mut diagnostic = Diagnostic::error(Code::Consumed, span, message)
            .caret("used here")
            .help("use it before it is consumed, or consume a `copy`")
            .section(Section::UseAfterConsume);
        diagnostic = note.into_iter().fold(diagnostic, Diagnostic::note);
        if let Some(&at) = self.consumed.get(&consumed) {
            diagnostic = diagnostic.label(at, "consumed here");
            let text = self.checker.quote(at);
            let names = &self.checker.names;
            if names.get(&consumed).is_none_or(|name| !text.as_str().contains(name.as_str())) {
                diagnostic = diagnostic.note("Possibly through aliases.");
            }
        }
        self.report(diagnostic);
    }

    /// Reports that the variable may not be consumed here, if there is a reason. Returns whether there is one.
    pub(super) fn report_obstacle(&mut self, id: ValueId, span: Span) -> bool {
        let Some((reason, help)) = self.obstacle(id) else { return false };
        let is_internal = self.reason(id) == Some(Unconsumable::Internal);
        let message = match is_internal {
            true => "Consuming a value that may have internal aliases".to_owned(),
            false => format!("Cannot consume {} here", self.consumable_name(id)),
        };
        let reference = (!is_internal)
            .then(|| format!("Consuming {}, which is not consumable", self.consumable_name(id)));
        let error = Diagnostic::error(Code::NotConsumable, span, message)
            .caret("this would consume it")
            .help(help)
            .section(Section::NotConsumable);
        self.report(reference.into_iter().chain([reason]).fold(error, Diagnostic::note));
        true
    }

    /// The reason why a variable may not be consumed here, if there is one, and advice.
    pub(super) fn obstacle(&self, id: ValueId) -> Option<(String, &'static str)> {
        const COPY: &str = "consume a `copy` of it";
        let name = self.name(id);
        let at_the_top = || {
            format!("Consuming variable {name} would change it everywhere: it is defined at the top level")
        };
        let Some(variable) = self.variables.get(&id) else { return Some((at_the_top(), COPY)) };
        match variable.unconsumable {
            Some(Unconsumable::Constant) => return Some((at_the_top(), COPY)),
            Some(Unconsumable::OfConstant) => {
                let reason = "It may be a part of a value that is defined at the top level".to_owned();
                return Some((reason, COPY));
            }
            Some(Unconsumable::Internal) => {
                let reason =
                    format!("Parts of {name} may share memory: its type is abstract and not marked with `*`");
                return Some((reason, COPY));
            }
            Some(Unconsumable::Parameter) | None => {}
        }
        match self.barrier(id) {
            Some(Barrier::Function) => Some((
                format!("Consuming variable {name} here could happen twice: the function may be called many times"),
                COPY,
            )),
            Some(Barrier::Section) => Some((
                "Operator sections may not supply an argument for a consuming parameter. The section may be called \
                 many times"
                    .to_owned(),
                COPY,
            )),
            Some(Barrier::Condition) => Some((
                format!("Consuming variable {name} here could happen twice: the condition may be evaluated many times"),
                COPY,
            )),
            Some(Barrier::Loop) => Some((
                format!("Consuming variable {name} here could happen twice: the loop body may run many times"),
                "consume a `copy` of it, or make it a parameter of the loop",
            )),
            None if self.callables.contains(&id) && variable.unconsumable.is_some() => Some((
                format!("The result of {name} may share memory with other values: its type is not marked with `*`"),
                "consume a `copy` of it, or mark the result in the function's type: `(f: i64 -> *[]i32)`",
            )),
            None if self.of_size => Some(("A size consumes nothing".to_owned(), COPY)),
            None => variable.unconsumable.map(|_| {
                (
                    format!(
                        "Consuming variable {name} would change a value of the caller: the type of the parameter is not marked with `*`"
                    ),
                    "consume a `copy` of it, or mark the type of the parameter: `(xs: *[]i32)`",
                )
            }),
        }
    }

    /// The outermost construct of which this is the body and outside of which the variable is bound.
    pub(super) fn barrier(&self, id: ValueId) -> Option<Barrier> {
        let variable = self.variables.get(&id)?;
        let barrier = self.barriers.iter().find(|(serial, _)| variable.serial < *serial);
        barrier.map(|(_, barrier)| *barrier)
    }

    /// What is consumed if this variable is: the result of a function, not the function.
    fn consumable_name(&self, id: ValueId) -> String {
        match self.callables.contains(&id) {
            true => format!("the result of {}", self.name(id)),
            false => self.name(id),
        }
    }

    pub(super) fn name(&self, id: ValueId) -> String {
        match (self.checker.names.get(&id), self.origins.get(&id)) {
            (Some(name), _) => format!("`{name}`"),
            (None, Some(Origin::Application(function))) => format!("the result of applying `{function}`"),
            (None, Some(Origin::Results(function))) => format!("a result of `{function}`"),
            (None, Some(Origin::If)) => "the result of if-expression".to_owned(),
            (None, Some(Origin::Match)) => "the result of match-expression".to_owned(),
            (None, None) => "another part of the same value".to_owned(),
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        // Report each place once.
        if !self.checker.diagnostics.iter().any(|known| known.span == diagnostic.span) {
            self.checker.diagnostics.push(diagnostic);
        }
    }
}
