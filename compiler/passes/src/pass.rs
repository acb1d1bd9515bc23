//! The definition of a pass, and its context: target, fuel, and the record of its rules.

use ravel_base::{Span, Symbol};
use ravel_core::{Origin, Program};
use ravel_kernel::Target;
use rustc_hash::FxHashSet;

/// A pass as a value, over core IR unless `P` is another form. Its name is the same on the command line, as the name
/// of its file or folder, and in tests.
#[derive(Debug)]
pub struct Pass<P: 'static = Program> {
    /// The name.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// The names of its rules: no others may fire or be refused.
    pub rules: &'static [&'static str],
    /// The premises whose failure it reports: the reasons for which a rule may be refused.
    pub premises: &'static [Premise],
    /// Runs the pass. It never prints, reads no file, and iterates over no hash map.
    pub run: fn(&mut P, &mut Cx),
}

/// A pass over kernel IR.
pub type KernelPass = Pass<ravel_kernel::Program>;

/// A side condition of a rule: what it requires besides a match of its left-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Premise {
    /// The name.
    pub name: &'static str,
    /// The condition, as a sentence without its full stop.
    pub about: &'static str,
    /// The message at the place to blame if it does not hold; `{}` is replaced by the name to blame.
    pub otherwise: &'static str,
}

/// The first of these premises that does not hold. Each comes with its test; the tests after the first failure are not
/// run, so list cheap ones first.
pub fn missing(premises: &[(Premise, &dyn Fn() -> bool)]) -> Option<Premise> {
    premises.iter().find(|(_, holds)| !holds()).map(|&(premise, _)| premise)
}

/// The context of a pass: the target, the fuel, and the events of its rules.
#[derive(Debug)]
pub struct Cx {
    /// The machine to compile for.
    pub target: Target,
    /// Whether the program counts how full its bins are.
    pub counts_bins: bool,
    fuel: u64,
    /// The rules that are switched off.
    without: Vec<&'static str>,
    events: Vec<Event>,
    /// The refusals among the events, to record each once.
    refusals: FxHashSet<Event>,
    visits: u64,
}

/// A rule fired or was refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The rule.
    pub rule: &'static str,
    /// The reason why it did not fire; `None` if it fired.
    pub refused: Option<Refusal>,
    /// If the rule fired and merged two statements: the main place of the earlier one.
    pub earlier: Option<Span>,
    /// The origin of the statement; if the rule merged two statements, the union of their origins.
    pub origin: Origin,
    /// Whether it cost fuel. If so, a run with less fuel can end just before it.
    pub costs_fuel: bool,
}

/// The reason why a rule did not fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The premise that did not hold.
    pub premise: Premise,
    /// If the rule is about two statements: the place of the other one, the producer.
    pub other: Option<Span>,
    /// If the rule is about two statements: the place where the consumer uses an element of the producer's result, if it is
    /// known. A consumer that is the result of fusion has several places.
    pub at: Option<Span>,
    /// The name to blame, if there is one.
    pub name: Option<Symbol>,
    /// The place to blame.
    pub span: Option<Span>,
}

impl Refusal {
    /// A refusal because this premise does not hold.
    pub fn of(premise: Premise) -> Refusal {
        Refusal { premise, other: None, at: None, name: None, span: None }
    }

    /// The same refusal with a name and a place to blame.
    pub fn blame(self, name: Option<Symbol>, span: Option<Span>) -> Refusal {
        Refusal { name, span, ..self }
    }

    /// The message at the place to blame.
    pub fn reason(&self) -> String {
        let name = self.name.map_or_else(|| "it".to_owned(), |name| format!("`{name}`"));
        self.premise.otherwise.replace("{}", &name)
    }
}

impl Cx {
    /// A context in which rules may fire `fuel` times.
    pub fn new(target: &Target, fuel: u64) -> Cx {
        Cx {
            target: target.clone(),
            counts_bins: false,
            fuel,
            without: Vec::new(),
            events: Vec::new(),
            refusals: FxHashSet::default(),
            visits: 0,
        }
    }

    /// The same context with these rules switched off: they never fire.
    #[must_use]
    pub fn without(mut self, rules: &[&'static str]) -> Cx {
        self.without.extend(rules);
        self
    }

    /// A context with the same target and rules, to find out which rules would fire. Its events count nowhere.
    #[must_use]
    pub fn trial(&self) -> Cx {
        let without = self.without.clone();
        Cx { without, counts_bins: self.counts_bins, ..Cx::new(&self.target, u64::MAX) }
    }

    /// Takes over the events of a trial, whose rewrites are kept. If the fuel does not suffice for them, takes over nothing, and
    /// the rewrites must be done again.
    #[must_use]
    pub fn adopt(&mut self, trial: Cx) -> bool {
        let spent = u64::MAX - trial.fuel;
        if spent > self.fuel {
            return false;
        }
        self.fuel -= spent;
        self.visits += trial.visits;
        let new = |event: &Event| event.refused.is_none() || self.refusals.insert(event.clone());
        self.events.extend(trial.events.into_iter().filter(new));
        true
    }

    /// Whether `rule`, whose premises hold, may rewrite the statement; if so, spends fuel and records the firing. False
    /// if no fuel is left or the rule is switched off.
    #[must_use]
    pub fn fire(&mut self, rule: &'static str, origin: &Origin) -> bool {
        self.fire_on(rule, origin, None)
    }

    /// [`Self::fire`] for a rule that merges two statements. `earlier` is the origin of the first, and `origin` joins the
    /// origins of both.
    #[must_use]
    pub fn fire_with(&mut self, rule: &'static str, earlier: &Origin, origin: &Origin) -> bool {
        self.fire_on(rule, origin, earlier.place())
    }

    fn fire_on(&mut self, rule: &'static str, origin: &Origin, earlier: Option<Span>) -> bool {
        if self.fuel == 0 || self.without.contains(&rule) {
            return false;
        }
        self.fuel -= 1;
        self.events.push(Event { rule, refused: None, earlier, origin: origin.clone(), costs_fuel: true });
        true
    }

    /// Records a rewrite that is not optional, since later stages rely on it: it costs no fuel.
    pub fn record(&mut self, rule: &'static str, origin: &Origin) {
        self.events.push(Event {
            rule,
            refused: None,
            earlier: None,
            origin: origin.clone(),
            costs_fuel: false,
        });
    }

    /// Records the reason why `rule` did not rewrite a statement that a reader may expect it to rewrite. A repeated
    /// refusal of the same statement is recorded once.
    pub fn refuse(&mut self, rule: &'static str, refusal: Refusal, origin: &Origin) {
        let refused = Some(refusal);
        let event = Event { rule, refused, earlier: None, origin: origin.clone(), costs_fuel: false };
        if self.refusals.insert(event.clone()) {
            self.events.push(event);
        }
    }

    /// Counts visits of statements.
    pub fn count_visits(&mut self, statements: usize) {
        self.visits += statements as u64;
    }

    /// The number of statements that passes have visited: a measure of compile time that does not depend on the machine.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The remaining number of firings.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// The number of firings since the events were last taken.
    pub fn firing_count(&self) -> usize {
        self.events.iter().filter(|event| event.refused.is_none()).count()
    }

    /// The events since they were last taken, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.refusals.clear();
        std::mem::take(&mut self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_switched_off_never_fires() {
        let mut cx = Cx::new(&Target::CPU, 2).without(&["map-map"]);
        let origin = Origin::default();
        assert!(!cx.fire("map-map", &origin));
        assert!(cx.fire("map-scan", &origin));
        assert_eq!(cx.fuel(), 1);
    }

    #[test]
    fn without_fuel_nothing_fires() {
        let mut cx = Cx::new(&Target::CPU, 1);
        let origin = Origin::default();
        assert!(cx.fire("map-map", &origin));
        assert!(!cx.fire("map-map", &origin));
        let premise = Premise { name: "one-use", about: "it has no other use", otherwise: "{} is used here" };
        let refusal = Refusal::of(premise).blame(Some("xs".into()), None);
        cx.refuse("map-map", refusal, &origin);
        cx.refuse("map-map", refusal, &origin);
        assert_eq!(refusal.reason(), "`xs` is used here");
        assert_eq!(cx.firing_count(), 1);
        assert_eq!(cx.take_events().len(), 2);
    }

    #[test]
    fn a_trial_costs_fuel_if_it_is_adopted() {
        let mut cx = Cx::new(&Target::CPU, 2);
        let origin = Origin::default();
        let trial = |cx: &Cx, firings: usize| {
            let mut trial = cx.trial();
            (0..firings).for_each(|_| assert!(trial.fire("map-map", &origin)));
            trial
        };
        let (two, three) = (trial(&cx, 2), trial(&cx, 3));
        assert!(!cx.adopt(three));
        assert_eq!((cx.fuel(), cx.firing_count()), (2, 0));
        assert!(cx.adopt(two));
        assert_eq!((cx.fuel(), cx.firing_count()), (0, 2));
    }
}
