//! What a pass is, and what it may touch.

use ravel_base::{Span, Symbol};
use ravel_core::{Origin, Program};
use ravel_kernel::Target;
use rustc_hash::FxHashSet;

/// A pass, as a value: over core IR, unless it says over what else. Its name is the same everywhere:
/// on the command line, as the name of its file or folder, in tests.
#[derive(Debug)]
pub struct Pass<P: 'static = Program> {
    /// The name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The names of its rules: what it may record that it did, or did not do.
    pub rules: &'static [&'static str],
    /// What its rules require and a reader may expect to hold: why it may record that one did not fire.
    pub premises: &'static [Premise],
    /// Does it. A pass never prints, reads no file, and iterates over no hash map.
    pub run: fn(&mut P, &mut Cx),
}

/// What a rule requires, beyond the form of what it rewrites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Premise {
    /// The name.
    pub name: &'static str,
    /// What must hold, as a sentence without its full stop.
    pub about: &'static str,
    /// What to see at the place to blame where it does not hold; `{}` is what is to blame.
    pub otherwise: &'static str,
}

/// The first of these premises that does not hold, each with what tells: the cheapest stand first, and none
/// is asked behind one that does not hold.
pub fn missing(premises: &[(Premise, &dyn Fn() -> bool)]) -> Option<Premise> {
    premises.iter().find(|(_, holds)| !holds()).map(|&(premise, _)| premise)
}

/// What a pass works with: the machine, the fuel, and the record of what its rules did.
#[derive(Debug)]
pub struct Cx {
    /// The machine that code is made for.
    pub target: Target,
    fuel: u64,
    /// The rules that are switched off.
    without: Vec<&'static str>,
    events: Vec<Event>,
    /// Those of the events that say why a rule did not fire.
    refusals: FxHashSet<Event>,
    work: u64,
}

/// Something that a rule did or did not do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The rule.
    pub rule: &'static str,
    /// Why it did not fire; `None` when it did.
    pub refused: Option<Refusal>,
    /// When a rule fired that makes one of two statements: the main place of the earlier one.
    pub earlier: Option<Span>,
    /// The statement it was about; when a rule fired that makes one of two, both.
    pub origin: Origin,
    /// Did it cost fuel? Then the same run with less fuel does all that was done before it.
    pub costs_fuel: bool,
}

/// Why a rule did not fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The premise that did not hold.
    pub premise: Premise,
    /// Of a rule about two statements: the place of the other one.
    pub other: Option<Span>,
    /// Then also: where this one does something with an element of what the other one makes, if that is known. It may
    /// be made of what comes from many places.
    pub at: Option<Span>,
    /// What is to blame, if it has a name.
    pub name: Option<Symbol>,
    /// Where to see that.
    pub span: Option<Span>,
}

impl Refusal {
    /// This premise does not hold.
    pub fn of(premise: Premise) -> Refusal {
        Refusal { premise, other: None, at: None, name: None, span: None }
    }

    /// This is to blame, to be seen there.
    pub fn blame(self, name: Option<Symbol>, span: Option<Span>) -> Refusal {
        Refusal { name, span, ..self }
    }

    /// What is to be seen at the place to blame.
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
            fuel,
            without: Vec::new(),
            events: Vec::new(),
            refusals: FxHashSet::default(),
            work: 0,
        }
    }

    /// The same context with these rules switched off: they never fire.
    #[must_use]
    pub fn without(mut self, rules: &[&'static str]) -> Cx {
        self.without.extend(rules);
        self
    }

    /// Asks whether `rule`, whose premises hold, may rewrite the statement, and records that it
    /// does. The answer is no without fuel, and if the rule is switched off.
    #[must_use]
    pub fn fire(&mut self, rule: &'static str, origin: &Origin) -> bool {
        self.fire_on(rule, origin, None)
    }

    /// The same of a rule that makes one of two statements, whose origins make up the one given.
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

    /// Records a rewrite that later stages rely on, so that it costs no fuel.
    pub fn record(&mut self, rule: &'static str, origin: &Origin) {
        self.events.push(Event {
            rule,
            refused: None,
            earlier: None,
            origin: origin.clone(),
            costs_fuel: false,
        });
    }

    /// Records that `rule` looked at a statement that a reader may expect it to rewrite, and why
    /// it did not. Said again of the same statement, it is recorded once.
    pub fn refuse(&mut self, rule: &'static str, refusal: Refusal, origin: &Origin) {
        let refused = Some(refusal);
        let event = Event { rule, refused, earlier: None, origin: origin.clone(), costs_fuel: false };
        if self.refusals.insert(event.clone()) {
            self.events.push(event);
        }
    }

    /// Counts statements that a pass looks at, once more each time.
    pub fn look(&mut self, statements: usize) {
        self.work += statements as u64;
    }

    /// How many statements passes have looked at: a measure of their work that is no time.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// How often rules may still fire.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// How many rules have fired since the events were last taken.
    pub fn fired(&self) -> usize {
        self.events.iter().filter(|event| event.refused.is_none()).count()
    }

    /// What happened since this was last asked, in order.
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
        assert_eq!(cx.fired(), 1);
        assert_eq!(cx.take_events().len(), 2);
    }
}
