//! The groups into which `distribute` divides the statements of a point.
//!
//! Groups run one after the other, in *stages*. A stage with an even number is one group of sequential statements. A stage with
//! an odd number has a group for each of its parallel statements: constructs, and loops and branches with constructs inside. A
//! parallel statement runs in the first stage after those that it depends on. A sequential statement runs as late as possible,
//! so that few values must be stored: in the last stage before a group that needs it.
//!
//! Other statements belong to no group: views, checks and short arithmetic, which every group that needs them repeats.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::{Origin, Symbol};
use ravel_core::alias::{Aliases, Summaries};
use ravel_core::{
    Atom, Body, Exp, Function, Lambda, Loop, LoopForm, Screma, Sink, Stm, Var, VarTable, atom_type,
    free_in_lambda, free_in_stm,
};

use super::super::sizes::KnownScalars;
use super::{FIXED_SHAPES, NO_SHARED_CONSUMPTION, PARALLEL_INSIDE};
use crate::Premise;

/// The most operations of a statement, with those that it depends on, that groups repeat.
const REPEATED_OPERATIONS: usize = 8;

/// A group of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    stage: usize,
    /// The number of the statement, if it is a parallel one.
    parallel: Option<usize>,
}

impl Group {
    /// The number of the statement of which the group consists, if it is a parallel one.
    pub(super) fn parallel(self) -> Option<usize> {
        self.parallel
    }
}

/// The groups of a point's statements.
pub(super) struct Groups {
    /// For each statement, its group, unless every group that needs it repeats it.
    of_stms: Vec<Option<Group>>,
    /// The values of statements that belong to a group.
    stored: BTreeSet<Var>,
    last: Group,
}

impl Groups {
    /// Divides the statements of a point, or of a loop or branch of a point. `known` has the scalars from around the statements
    /// that are the same for all points. The statements with numbers in `kept` count as sequential.
    ///
    /// # Errors
    /// The premise that does not hold, and the variable to blame.
    pub(super) fn of(
        vars: &VarTable,
        aliases: &Aliases,
        known: KnownScalars,
        body: &Body,
        kept: &[usize],
    ) -> Result<Groups, (Premise, Option<Var>)> {
        let kinds = Kinds::of(vars, aliases, known, body, kept);
        if !kinds.of_stms.contains(&Kind::Parallel) {
            return Err((PARALLEL_INSIDE, None));
        }
        let dependences = Dependences::of(vars, body);
        let stages = stages(body, &kinds.of_stms, &dependences);
        let group = |(at, &kind): (usize, &Kind)| match kind {
            Kind::Repeated => None,
            Kind::Sequential => Some(Group { stage: stages.of_stms[at], parallel: None }),
            Kind::Parallel => Some(Group { stage: stages.of_stms[at], parallel: Some(at) }),
        };
        let of_stms: Vec<Option<Group>> = kinds.of_stms.iter().enumerate().map(group).collect();
        let in_groups = body.stms.iter().zip(&of_stms).filter(|(_, group)| group.is_some());
        let stored = in_groups.flat_map(|(stm, _)| stm.binders.iter().copied()).collect();
        let last = Group { stage: stages.last, parallel: None };
        let groups = Groups { of_stms, stored, last };
        let passed = groups.passed(body, &dependences);
        let varies = |size: &Atom| !kinds.known.is_known(*size);
        if let Some(&var) = passed.iter().find(|&&var| vars[var].ty.shape.iter().any(varies)) {
            return Err((FIXED_SHAPES, Some(var)));
        }
        match passed.into_iter().find(|&var| is_consumed(aliases, var)) {
            Some(var) => Err((NO_SHARED_CONSUMPTION, Some(var))),
            None => Ok(groups),
        }
    }

    /// All groups, in the order in which they run.
    pub(super) fn in_order(&self) -> impl DoubleEndedIterator<Item = Group> + use<> {
        let groups: BTreeSet<Group> = self.of_stms.iter().copied().flatten().chain([self.last]).collect();
        groups.into_iter()
    }

    /// The last group. It may have no statement of its own.
    pub(super) fn last(&self) -> Group {
        self.last
    }

    /// Whether the statement belongs to the group.
    pub(super) fn is_in(&self, stm: usize, group: Group) -> bool {
        self.of_stms[stm] == Some(group)
    }

    /// Whether each group that needs the statement repeats it.
    pub(super) fn is_repeated(&self, stm: usize) -> bool {
        self.of_stms[stm].is_none()
    }

    /// Whether this is the value of a statement in a group.
    pub(super) fn is_stored(&self, var: Var) -> bool {
        self.stored.contains(&var)
    }

    /// The values that another group needs, directly or through repeated statements. A check may be repeated by each group.
    fn passed(&self, body: &Body, dependences: &Dependences) -> BTreeSet<Var> {
        let mut needed: Vec<BTreeSet<Var>> = Vec::new();
        let mut passed = BTreeSet::new();
        let owner = |var: Var| dependences.statement(var).and_then(|at| self.of_stms[at]);
        for (at, stm) in body.stms.iter().enumerate() {
            let mut reached = BTreeSet::new();
            for &var in dependences.used_by(at) {
                match dependences.statement(var) {
                    Some(other) if self.of_stms[other].is_none() => reached.extend(&needed[other]),
                    _ => _ = reached.insert(var),
                }
            }
            match self.of_stms[at] {
                Some(group) => passed.extend(reached.iter().filter(|&&var| owner(var) != Some(group))),
                None if matches!(stm.exp, Exp::Assert { .. }) => passed.extend(&reached),
                None => {}
            }
            needed.push(reached);
        }
        for var in body.result.iter().filter_map(|result| result.var()) {
            match dependences.statement(var) {
                Some(at) if self.of_stms[at].is_none() => passed.extend(&needed[at]),
                _ => _ = passed.insert(var),
            }
        }
        passed.retain(|&var| self.is_stored(var));
        passed
    }
}

/// How a statement is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Again in each group that needs it.
    Repeated,
    Sequential,
    Parallel,
}

struct Kinds {
    of_stms: Vec<Kind>,
    /// The scalars that are the same for all points.
    known: KnownScalars,
}

impl Kinds {
    fn of(vars: &VarTable, aliases: &Aliases, mut known: KnownScalars, body: &Body, kept: &[usize]) -> Kinds {
        for stm in &body.stms {
            if !known.can_move(stm) {
                known.record_varying(stm.binders.iter().copied());
            }
        }
        let mut kinds = Kinds { of_stms: Vec::new(), known };
        // The operations that repeat a value.
        let mut operations: BTreeMap<Var, usize> = BTreeMap::new();
        for (at, stm) in body.stms.iter().enumerate() {
            let of_operands =
                || free_in_stm(vars, stm).iter().filter_map(|var| operations.get(var)).sum::<usize>();
            let repeated = own_operations(&stm.exp).map(|own| own + of_operands());
            let kind = match repeated {
                Some(count) if count <= REPEATED_OPERATIONS => {
                    operations.extend(stm.binders.iter().map(|&binder| (binder, count)));
                    Kind::Repeated
                }
                _ if !kept.contains(&at) && kinds.is_parallel(vars, aliases, stm) => Kind::Parallel,
                _ => Kind::Sequential,
            };
            kinds.of_stms.push(kind);
        }
        kinds
    }

    /// Whether the statement can be exchanged with the construct around it: a construct that can run in parallel at all
    /// points, or a loop or branch that all points run alike and that has such constructs.
    fn is_parallel(&self, vars: &VarTable, aliases: &Aliases, stm: &Stm) -> bool {
        let mut sizes = stm.binders.iter().flat_map(|&binder| &vars[binder].ty.shape);
        sizes.all(|&size| self.known.is_known(size))
            && match &stm.exp {
                Exp::Screma(screma) => {
                    stm.origin.attributes.iter().all(|attribute| attribute.as_str() != "sequential")
                        && self.known.is_known(screma.width)
                        && self.combines_alike(vars, screma)
                }
                Exp::Loop(Loop { params, form: LoopForm::For { bound, .. }, body }) => {
                    let mut known = self.known.clone();
                    known.record_varying(params.iter().map(|&(param, _)| param));
                    self.known.is_known(*bound)
                        && params.iter().all(|&(param, _)| {
                            vars[param].ty.shape.iter().all(|&size| self.known.is_known(size))
                                && !is_consumed(aliases, param)
                        })
                        && Groups::of(vars, aliases, known, body, &[]).is_ok()
                }
                Exp::If { cond, then, otherwise } => {
                    let mut sides = [then, otherwise].into_iter();
                    self.known.is_known(*cond)
                        && sides.any(|side| Groups::of(vars, aliases, self.known.clone(), side, &[]).is_ok())
                }
                _ => false,
            }
    }

    /// Whether the construct only maps, or reduces and scans scalars by operators that are the same for all points.
    fn combines_alike(&self, vars: &VarTable, screma: &Screma) -> bool {
        let is_alike = |op: &Lambda, neutral: &[Atom]| {
            neutral.iter().all(|&atom| self.known.is_known(atom) && atom_type(vars, atom).is_scalar())
                && free_in_lambda(vars, op).into_iter().all(|var| self.known.is_known(Atom::Var(var)))
        };
        screma.scans.iter().all(|scan| is_alike(&scan.op, &scan.neutral))
            && screma.sinks.iter().all(|sink| match sink {
                Sink::Map => true,
                Sink::Reduce { op, neutral, .. } => is_alike(op, neutral),
                Sink::Concat { .. } | Sink::Write { .. } | Sink::Combine { .. } => false,
            })
    }
}

/// Whether each group that needs the expression may compute it again.
pub(super) fn is_repeated(exp: &Exp) -> bool {
    own_operations(exp).is_some()
}

/// The number of operations of an expression that may be repeated; `None` if it takes long, or needs memory.
fn own_operations(exp: &Exp) -> Option<usize> {
    match exp {
        Exp::Atom(_)
        | Exp::Trust(_)
        | Exp::Param(..)
        | Exp::Index(..)
        | Exp::Slice(..)
        | Exp::Rearrange(..)
        | Exp::Manifest(..)
        | Exp::Assert { .. } => Some(0),
        Exp::Compare(..) | Exp::Convert(..) => Some(1),
        Exp::Unary(op, _) if op.is_short() => Some(1),
        Exp::Binary(op, ..) if op.is_short() => Some(1),
        Exp::If { then, otherwise, .. } => {
            let stms = then.stms.iter().chain(&otherwise.stms);
            stms.map(|stm| own_operations(&stm.exp)).try_fold(1, |sum, own| Some(sum + own?))
        }
        _ => None,
    }
}

/// The statements of the body that bind the variables of others.
struct Dependences {
    statements: BTreeMap<Var, usize>,
    /// For each statement, the variables of the body that it uses.
    of_stms: Vec<Vec<Var>>,
}

impl Dependences {
    fn of(vars: &VarTable, body: &Body) -> Dependences {
        let numbered = body.stms.iter().enumerate();
        let statements: BTreeMap<Var, usize> =
            numbered.flat_map(|(at, stm)| stm.binders.iter().map(move |&binder| (binder, at))).collect();
        let used = |stm: &Stm| {
            let own = |var: &Var| statements.contains_key(var) && !stm.binders.contains(var);
            free_in_stm(vars, stm).into_iter().filter(own).collect()
        };
        let of_stms = body.stms.iter().map(used).collect();
        Dependences { statements, of_stms }
    }

    fn statement(&self, var: Var) -> Option<usize> {
        self.statements.get(&var).copied()
    }

    fn used_by(&self, stm: usize) -> &[Var] {
        &self.of_stms[stm]
    }

    /// The statements that a statement depends on.
    fn before(&self, stm: usize) -> impl Iterator<Item = usize> + '_ {
        self.of_stms[stm].iter().filter_map(|&var| self.statement(var))
    }
}

struct Stages {
    /// For each statement in a group, its stage.
    of_stms: Vec<usize>,
    /// The last stage, an even number.
    last: usize,
}

/// The stages of the statements. A check guards the statements after it, which therefore run no earlier.
fn stages(body: &Body, kinds: &[Kind], dependences: &Dependences) -> Stages {
    let (mut of_stms, mut done, mut ready) = (Vec::new(), Vec::<usize>::new(), Vec::new());
    let mut checked = 0;
    for (at, stm) in body.stms.iter().enumerate() {
        let first = dependences.before(at).map(|before| done[before]).max().unwrap_or(0);
        if let Exp::Assert { .. } = stm.exp {
            checked = checked.max(first);
        }
        let first = first.max(checked);
        ready.push(first);
        of_stms.push(if kinds[at] == Kind::Parallel { first + 1 } else { first });
        done.push(if kinds[at] == Kind::Parallel { first + 2 } else { first });
    }
    let last = done.iter().copied().max().unwrap_or(0);
    // The latest stage of each statement, from the last statement to the first.
    let mut latest = vec![last; body.stms.len()];
    for at in (0..body.stms.len()).rev() {
        if let Exp::Assert { .. } = body.stms[at].exp {
            latest[at] = ready[at];
        }
        if kinds[at] == Kind::Sequential {
            of_stms[at] = latest[at];
        }
        let limit = match kinds[at] {
            Kind::Parallel => of_stms[at] - 1,
            Kind::Sequential | Kind::Repeated => latest[at],
        };
        for before in dependences.before(at) {
            latest[before] = latest[before].min(limit);
        }
    }
    Stages { of_stms, last }
}

/// The arrays of a point that share memory, and those that it consumes.
pub(super) fn aliases(vars: &VarTable, summaries: &Summaries, body: &Body) -> Aliases {
    let function = Function {
        name: Symbol::new("point"),
        vars: vars.clone(),
        params: Vec::new(),
        results: Vec::new(),
        body: body.clone(),
        noinline: false,
        origin: Origin::default(),
    };
    Aliases::of(&function, summaries)
}

/// Whether the point consumes memory of the array.
pub(super) fn is_consumed(aliases: &Aliases, var: Var) -> bool {
    aliases.memory(aliases.places(var)).any(|place| aliases.is_consumed(place))
}
