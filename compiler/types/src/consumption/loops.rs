//! Loops: which merge parameters they consume, and the aliases of their results.
//!
//! A merge parameter is *consuming* if it is marked with `*`, if the body consumes it, or if the body
//! passes it on to a consuming parameter for the next iteration. The initial value and the next value of a
//! consuming parameter must share no memory with any other parameter.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::{Code, Diagnostic, Section, Span};

use super::alias::Aliases;
use super::{Barrier, Consumption, Unconsumable};
use crate::tast::{Loop, LoopForm, ValueId};
use crate::uniqueness::Uniqueness;

/// A merge parameter without components.
struct Leaf {
    path: Vec<PathStep>,
    own: BTreeSet<ValueId>,
    /// The aliases of the initial value.
    init: BTreeSet<ValueId>,
    /// The aliases of the value for the next iteration.
    next: BTreeSet<ValueId>,
    consuming: bool,
    /// Whether the parameter is marked with `*`.
    marked: bool,
}

/// A step from a merge parameter to a part of it.
#[derive(Clone, Copy, PartialEq)]
enum PathStep {
    Component(usize),
    /// To the payload of a constructor. A value has only one of them.
    Payload(usize),
}

/// What a loop uses of the variables bound outside.
#[derive(Default)]
struct OuterUses {
    /// The aliases of the array over which a `for … in` goes.
    sequence: BTreeSet<ValueId>,
    /// The aliases of the variables used in the body, each with the first such variable.
    uses: BTreeMap<ValueId, ValueId>,
}

impl Consumption<'_, '_> {
    pub(super) fn loop_exp(&mut self, inner: &Loop) -> Aliases {
        let init = self.exp(&inner.init);
        let init = self.split(&init, &inner.pattern.ty);
        let since = self.consumption_log.len();
        let sequence = match &inner.form {
            LoopForm::For(_, _, bound) => {
                self.exp(bound);
                None
            }
            LoopForm::ForIn(pattern, sequence) => Some((pattern, self.exp(sequence))),
            LoopForm::While(_) => None,
        };
        self.observe_later(&init, since, inner.init.span);
        let (first, before, used) = (self.variables.len(), self.consumption_log.len(), self.uses.len());
        self.barriers.push((first, Barrier::Loop));
        let own = self.bind(&inner.pattern, &Aliases::none(), &Uniqueness::Whole);
        self.forbid_consuming(&inner.unmarked);
        let mut outside = OuterUses::default();
        if let Some((pattern, aliases)) = sequence {
            self.bind(pattern, &aliases, &Uniqueness::None);
            outside.sequence.extend(aliases.iter());
        }
        if let LoopForm::While(condition) = &inner.form {
            self.barriers.push((self.variables.len(), Barrier::Condition));
            self.exp(condition);
            self.barriers.pop();
        }
        let next = self.exp(&inner.body);
        let next = self.split(&next, &inner.pattern.ty);
        self.barriers.pop();

        let mut leaves = Vec::new();
        collect(&own, &init, &next, &mut Vec::new(), &mut leaves);
        let marked = inner.consumed.iter().filter_map(|id| self.variables.get(id));
        let marked: BTreeSet<ValueId> = marked.flat_map(|variable| variable.aliases.iter()).collect();
        for leaf in &mut leaves {
            leaf.marked = !leaf.own.is_disjoint(&marked);
            leaf.consuming =
                leaf.marked || leaf.own.iter().any(|id| self.consumption_log[before..].contains(id));
        }
        self.propagate(&mut leaves);
        for &id in &self.uses[used..] {
            match self.variables.get(&id) {
                Some(variable) if variable.serial >= first => {}
                Some(variable) => {
                    for alias in variable.aliases.iter() {
                        outside.uses.entry(alias).or_insert(id);
                    }
                }
                None => {
                    outside.uses.entry(id).or_insert(id);
                }
            }
        }
        for at in 0..leaves.len() {
            if leaves[at].consuming {
                self.check_next(&leaves, at, first, inner.body.span);
                self.check_init(&leaves, at, &outside, inner.init.span);
            }
        }
        let mut results = self.results(&leaves, first).into_iter();
        shape(&own, &mut results)
    }

    /// Records that parameters whose type is written without `*` may not be consumed.
    fn forbid_consuming(&mut self, params: &[ValueId]) {
        for id in params {
            let Some(variable) = self.variables.get(id) else { continue };
            for part in variable.aliases.clone().iter() {
                if let Some(variable) = self.variables.get_mut(&part) {
                    variable.unconsumable = Some(Unconsumable::Parameter);
                }
            }
        }
    }

    /// Whether the variable is a constant, or a parameter that may not be consumed.
    fn is_unconsumable(&self, id: ValueId) -> bool {
        self.variables.get(&id).is_some_and(|variable| variable.unconsumable.is_some())
    }

    fn is_outside(&self, id: ValueId, first: usize) -> bool {
        self.variables.get(&id).is_none_or(|variable| {
            variable.serial < first
                || variable.unconsumable.is_some_and(Unconsumable::is_global)
                || self.components.contains_key(&id)
        })
    }

    /// Marks the parameters that are passed on to consuming ones, until a fixpoint.
    fn propagate(&self, leaves: &mut [Leaf]) {
        while let Some(at) = (0..leaves.len()).find(|&at| {
            let leaf = &leaves[at];
            let reaches_consuming = leaves.iter().any(|other| other.consuming && leaf.is_passed_to(other));
            !leaf.consuming && reaches_consuming && !leaf.own.iter().any(|&id| self.is_unconsumable(id))
        }) {
            leaves[at].consuming = true;
        }
    }

    /// Checks that the next value of a consuming parameter shares no memory with other parameters.
    fn check_next(&mut self, leaves: &[Leaf], at: usize, first: usize, span: Span) {
        let leaf = &leaves[at];
        let name = self.leaf_name(leaf);
        let is_foreign = |&&id: &&ValueId| {
            let is_new = self.variables.get(&id).is_some_and(|variable| variable.serial >= first);
            (self.is_outside(id, first) || self.is_unconsumable(id)) && !(is_new && self.is_copyable(id))
        };
        let foreign = leaf.next.iter().find(is_foreign);
        let (other, reference, section) = if let Some(&id) = foreign {
            let other = self.name(id);
            let reference = format!(
                "Return value for consuming loop parameter {name} aliases {other}, which is not consumable"
            );
            (other, reference, Section::ConsumingLoopParamAliases)
        } else if let Some(at_other) = overlapping(leaves, at, |leaf| &leaf.next) {
            let (reference, section) = self.shared_next(leaves, at, at_other);
            (format!("that of {}", self.leaf_name(&leaves[at_other])), reference, section)
        } else {
            return self.copy_components(leaf.next.iter().copied());
        };
        let message = format!("Next value of {name} shares memory with {other}");
        let error = Diagnostic::error(Code::NotConsumable, span, message)
            .note(reference)
            .help("return a `copy` for the next iteration")
            .section(section);
        self.report(error);
    }

    /// How Futhark's compiler calls the error about two parameters, one of them consuming, whose next values share memory.
    fn shared_next(&self, leaves: &[Leaf], consuming: usize, other: usize) -> (String, Section) {
        // If only one of the two is marked with `*`, report that one as the consuming parameter.
        let swap = leaves[other].marked && !leaves[consuming].marked;
        let (consuming, other) = if swap { (other, consuming) } else { (consuming, other) };
        let (name, other_name) = (self.leaf_name(&leaves[consuming]), self.leaf_name(&leaves[other]));
        let earlier = |later: &str, earlier: &str| {
            format!(
                "Return value for consuming loop parameter {later} aliases previously returned value. It \
                 aliases another returned value, that for {earlier}"
            )
        };
        let consumed = |one: &str, consumed: &str| {
            format!("Return value for loop parameter {one} aliases other consumed loop parameter {consumed}")
        };
        if leaves[consuming].marked && !leaves[other].marked && leaves[other].is_passed_to(&leaves[consuming])
        {
            let message = format!(
                "Return value for consuming loop parameter {name} aliases {other_name}, which is not consumable"
            );
            (message, Section::ConsumingLoopParamAliases)
        } else if leaves[other].consuming {
            let message = format!("{}. {}", consumed(&name, &other_name), earlier(&other_name, &name));
            (message, Section::LoopParameterAliasesOther)
        } else if consuming < other {
            (consumed(&other_name, &name), Section::LoopParameterAliasesOther)
        } else {
            (earlier(&name, &other_name), Section::AliasesPreviouslyReturned)
        }
    }

    /// Consumes the initial value of a consuming parameter. Nothing else may use that value.
    fn check_init(&mut self, leaves: &[Leaf], at: usize, outside: &OuterUses, span: Span) {
        let leaf = &leaves[at];
        let name = self.leaf_name(leaf);
        let used = leaf.init.iter().find_map(|&id| Some((id, *outside.uses.get(&id)?)));
        let uses = |used: &str| format!("Loop body uses {used}, which the loop consumes");
        let reference =
            |used: &str| format!("Loop body uses {used}, but this is consumed by the initial loop argument");
        let (message, notes) = if let Some(other) = overlapping(leaves, at, |leaf| &leaf.init) {
            let other = self.leaf_name(&leaves[other]);
            let note = "Argument passed for consuming parameter is self-aliased".to_owned();
            (format!("Initial values of {name} and {other} share memory"), vec![note])
        } else if let Some((id, used)) = used {
            let (id, used) = (self.name(id), self.name(used));
            let note = (id != used).then(|| format!("{used} aliases {id}"));
            (uses(&used), [reference(&used)].into_iter().chain(note).collect())
        } else if let Some(&id) = leaf.init.intersection(&outside.sequence).next() {
            let note = "Argument is consumed, but aliases the array over which the loop goes".to_owned();
            let used = self.name(id);
            (uses(&used), vec![reference(&used), note])
        } else {
            self.consume(&Aliases::Whole(leaf.init.clone()), span);
            return;
        };
        let error = Diagnostic::error(Code::Consumed, span, message).help("make the initial value a `copy`");
        self.report(notes.into_iter().fold(error, Diagnostic::note));
    }

    /// The aliases of the parameters after the loop. Consuming parameters have none. Others alias whatever
    /// their initial value or any later value aliases.
    fn results(&self, leaves: &[Leaf], first: usize) -> Vec<BTreeSet<ValueId>> {
        let mut results: Vec<BTreeSet<ValueId>> = Vec::new();
        for (at, leaf) in leaves.iter().enumerate() {
            if leaf.consuming {
                results.push(BTreeSet::new());
                continue;
            }
            let also_elsewhere = |id: &ValueId| {
                leaves.iter().enumerate().any(|(other, leaf)| other != at && leaf.next.contains(id))
            };
            let kept = leaf.next.iter().filter(|id| self.is_outside(**id, first) || also_elsewhere(id));
            results.push(leaf.init.iter().chain(kept).copied().collect());
        }
        for _ in leaves {
            for (at, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| !leaf.consuming) {
                for (from, _) in leaves.iter().enumerate().filter(|(_, from)| from.is_passed_to(leaf)) {
                    let passed_on = results[from].clone();
                    results[at].extend(passed_on);
                }
            }
        }
        results
    }

    fn leaf_name(&self, leaf: &Leaf) -> String {
        leaf.own.first().map_or_else(|| "value".to_owned(), |&id| self.name(id))
    }
}

impl Leaf {
    /// Whether a value has only one of the two parts.
    fn excludes(&self, other: &Leaf) -> bool {
        let differing = self.path.iter().zip(&other.path).find(|(own, other)| own != other);
        differing.is_some_and(|(own, _)| matches!(own, PathStep::Payload(_)))
    }

    /// Whether the body passes this parameter on to the other one.
    fn is_passed_to(&self, other: &Leaf) -> bool {
        !self.own.is_disjoint(&other.next)
    }
}

/// Another parameter whose value has an alias in common with the value of this one.
fn overlapping(leaves: &[Leaf], at: usize, value: impl Fn(&Leaf) -> &BTreeSet<ValueId>) -> Option<usize> {
    let mut others = (0..leaves.len()).filter(|&other| other != at && !leaves[other].excludes(&leaves[at]));
    others.find(|&other| !value(&leaves[other]).is_disjoint(value(&leaves[at])))
}

/// Collects the leaves of the parameters, in order.
fn collect(own: &Aliases, init: &Aliases, next: &Aliases, path: &mut Vec<PathStep>, leaves: &mut Vec<Leaf>) {
    match own {
        Aliases::Tuple(parts) | Aliases::Sum(parts) => {
            for (at, part) in parts.iter().enumerate() {
                path.push(match own {
                    Aliases::Sum(_) => PathStep::Payload(at),
                    _ => PathStep::Component(at),
                });
                collect(part, &init.part(at), &next.part(at), path, leaves);
                path.pop();
            }
        }
        Aliases::Whole(own) => leaves.push(Leaf {
            path: path.clone(),
            own: own.clone(),
            init: init.iter().collect(),
            next: next.iter().collect(),
            consuming: false,
            marked: false,
        }),
    }
}

/// The results, structured like the pattern.
fn shape(own: &Aliases, results: &mut dyn Iterator<Item = BTreeSet<ValueId>>) -> Aliases {
    match own {
        Aliases::Tuple(parts) => Aliases::Tuple(parts.iter().map(|part| shape(part, results)).collect()),
        Aliases::Sum(parts) => Aliases::Sum(parts.iter().map(|part| shape(part, results)).collect()),
        Aliases::Whole(_) => Aliases::Whole(results.next().expect("each leaf has a result")),
    }
}
