//! The segments that can be tiled: what their points do, and which elements they share.

use std::collections::BTreeMap;

use ravel_kernel::*;
use ravel_prim::PrimType;

use crate::Premise;
use crate::pass::missing;

/// The premise of the statements.
pub const STRAIGHT: Premise = Premise {
    name: "straight",
    about: "a point consists of arithmetic, loads, stores and one counted loop, which only computes and loads",
    otherwise: "a point has a branch, a check, a call, an allocation, a second loop, or a loop that stores",
};

/// The premise of the loop's bound.
pub const SAME_BOUND: Premise = Premise {
    name: "same-bound",
    about: "the loop has the same number of iterations for all points, and its counter is an i64",
    otherwise: "each point computes the number of iterations, or the counter is not an i64",
};

/// The premise of the loop's size.
pub const SMALL: Premise = Premise {
    name: "small",
    about: "an iteration has at most as many statements as the target's setting `max_tiled` permits, and the loop carries at most half as many numbers as a thread computes points",
    otherwise: "the iterations of several points do not fit into registers",
};

/// The premise of the shared elements.
pub const SHARED: Premise = Premise {
    name: "shared",
    about: "the loop loads an element whose position depends on the inner counter and the loop's counter, but neither on the outer counter nor on other elements",
    otherwise: "the loop loads no element that is the same for all rows and different for each column and iteration",
};

/// The limits of a target.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The rows of a tile.
    pub rows: i64,
    /// The maximum number of statements of an iteration.
    pub statements: i64,
}

/// A map over rows and columns that can be tiled.
pub struct Plane {
    /// The counter of the rows and their number.
    pub row: (Var, Atom),
    /// The counter of the columns and their number.
    pub column: (Var, Atom),
    /// The counter of the loop and its bound.
    pub iteration: (Var, Atom),
    /// The number of rows that a point of the tiled segment computes.
    pub rows: i64,
    /// The elements that all rows share.
    pub shared: Vec<Shared>,
    /// The statements, except for loads, that compute the positions of these elements.
    pub positions: Vec<Step<Thread>>,
    /// The elements that all columns share.
    pub shared_by_columns: Vec<Shared>,
    /// The statements, except for loads, that compute the positions of these elements.
    pub positions_in_rows: Vec<Step<Thread>>,
}

/// A load in the loop of an element that all rows share, or all columns.
#[derive(Clone)]
pub struct Shared {
    /// The variable that the loop binds to the element.
    pub var: Var,
    /// The array.
    pub array: Var,
    /// The indices.
    pub indices: Vec<Atom>,
}

/// What a value of a point depends on.
#[derive(Clone, Copy, Default)]
struct Dependence {
    row: bool,
    column: bool,
    iteration: bool,
    /// On elements, or on what the loop carries.
    other: bool,
}

impl Dependence {
    fn and(self, other: Dependence) -> Dependence {
        Dependence {
            row: self.row || other.row,
            column: self.column || other.column,
            iteration: self.iteration || other.iteration,
            other: self.other || other.other,
        }
    }
}

impl Plane {
    /// What can be tiled in a segment; `None` if it is not a map with rows and columns as its last dimensions and a loop in
    /// each point.
    ///
    /// # Errors
    /// The premise that does not hold.
    pub fn of(segment: &GridSegment, vars: &VarTable, limits: Limits) -> Option<Result<Plane, Premise>> {
        let &[.., row, column] = &segment.space[..] else { return None };
        let Some((SegmentKind::Map, body)) = segment.threads() else { return None };
        let Counted { params, index, bound, body: iteration } =
            body.stms.iter().find_map(|step| Counted::of(&step.stm))?;
        let rows = limits.rows / params.max(1) as i64;
        let mut reach = Reach { vars, known: BTreeMap::new(), loads: Vec::new(), positions: Vec::new() };
        reach.known.insert(row.0, Dependence { row: true, ..Dependence::default() });
        reach.known.insert(column.0, Dependence { column: true, ..Dependence::default() });
        reach.body(body);
        let loads = |of: fn(&Dependence) -> bool| {
            let found = reach.loads.iter().filter(|(_, position)| position.iteration && of(position));
            found.map(|(load, _)| load.clone()).collect::<Vec<_>>()
        };
        let positions = |of: fn(&Dependence) -> bool| {
            let found = reach.positions.iter().filter(|(_, dependence)| of(dependence));
            found.map(|(step, _)| step.clone()).collect()
        };
        let shared = loads(|position| position.column && !position.row);
        let i64_counter = || vars[index].ty == Type::Scalar(PrimType::I64);
        let premises: [(Premise, &dyn Fn() -> bool); 4] = [
            (STRAIGHT, &|| is_straight(body)),
            (SAME_BOUND, &|| i64_counter() && !reach.is_of_point(bound)),
            (SMALL, &|| rows > 1 && iteration.stms.len() as i64 <= limits.statements),
            (SHARED, &|| !shared.is_empty()),
        ];
        if let Some(premise) = missing(&premises) {
            return Some(Err(premise));
        }
        Some(Ok(Plane {
            row,
            column,
            iteration: (index, bound),
            rows,
            shared,
            positions: positions(|dependence| !dependence.row),
            shared_by_columns: loads(|position| position.row && !position.column),
            positions_in_rows: positions(|dependence| !dependence.column),
        }))
    }
}

/// A counted loop.
struct Counted<'a> {
    /// The number of merge parameters.
    params: usize,
    index: Var,
    bound: Atom,
    /// One iteration.
    body: &'a Body<Thread>,
}

impl Counted<'_> {
    /// The loop that a statement is.
    fn of(stm: &Stm<Thread>) -> Option<Counted<'_>> {
        match stm {
            Stm::Loop { params, form: LoopForm::For { index, bound, .. }, body, .. } => {
                Some(Counted { params: params.len(), index: *index, bound: *bound, body })
            }
            _ => None,
        }
    }
}

/// Whether the code is that of [`STRAIGHT`].
fn is_straight(body: &Body<Thread>) -> bool {
    let computes = |stm: &Stm<Thread>| matches!(stm, Stm::Let { .. } | Stm::View(_) | Stm::Load { .. });
    let mut loops = 0;
    body.stms.iter().all(|step| match Counted::of(&step.stm) {
        Some(counted) => {
            loops += 1;
            loops == 1 && counted.body.stms.iter().all(|step| computes(&step.stm))
        }
        None => computes(&step.stm) || matches!(step.stm, Stm::Store { .. }),
    })
}

/// What the values of a point depend on, as far as the statements of [`STRAIGHT`] say.
struct Reach<'a> {
    vars: &'a VarTable,
    /// The variables that the point binds.
    known: BTreeMap<Var, Dependence>,
    /// The loads whose positions depend neither on elements nor on carried numbers.
    loads: Vec<(Shared, Dependence)>,
    /// The statements that depend neither on elements nor on carried numbers.
    positions: Vec<(Step<Thread>, Dependence)>,
}

impl Reach<'_> {
    /// Whether a value is computed by the point.
    fn is_of_point(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.known.contains_key(&var))
    }

    fn of(&self, atom: Atom) -> Dependence {
        atom.var().and_then(|var| self.known.get(&var)).copied().unwrap_or_default()
    }

    fn of_all(&self, atoms: impl IntoIterator<Item = Atom>) -> Dependence {
        atoms.into_iter().fold(Dependence::default(), |all, atom| all.and(self.of(atom)))
    }

    fn define(&mut self, var: Var, dependence: Dependence, step: &Step<Thread>) {
        self.known.insert(var, dependence);
        if !dependence.other {
            self.positions.push((step.clone(), dependence));
        }
    }

    fn body(&mut self, body: &Body<Thread>) {
        for step in &body.stms {
            match &step.stm {
                Stm::Let { var, exp } => self.define(*var, self.of_all(exp.operands()), step),
                Stm::View(var) => {
                    let Type::Array(view) = &self.vars[*var].ty else { unreachable!("verified: an array") };
                    let atoms = view.shape.iter().chain(&view.strides).chain([&view.offset]).copied();
                    self.define(*var, self.of_all(atoms), step);
                }
                Stm::Load { var, array, indices } => {
                    let position = self.of(Atom::Var(*array)).and(self.of_all(indices.iter().copied()));
                    if !position.other {
                        let load = Shared { var: *var, array: *array, indices: indices.clone() };
                        self.loads.push((load, position));
                    }
                    self.known.insert(*var, Dependence { other: true, ..position });
                }
                Stm::Loop { binders, params, form: LoopForm::For { index, .. }, body, .. } => {
                    let carried = Dependence { other: true, ..Dependence::default() };
                    let own = params.iter().map(|&(param, _)| param).chain(binders.iter().copied());
                    own.for_each(|var| _ = self.known.insert(var, carried));
                    self.known.insert(*index, Dependence { iteration: true, ..Dependence::default() });
                    self.body(body);
                }
                // A store binds nothing. With any other of these statements the segment is not straight, so it is refused.
                Stm::SineCosine { .. }
                | Stm::Alloc { .. }
                | Stm::Constants { .. }
                | Stm::Store { .. }
                | Stm::Combine { .. }
                | Stm::Copy { .. }
                | Stm::Assert { .. }
                | Stm::Trace { .. }
                | Stm::Choose { .. }
                | Stm::Call { .. }
                | Stm::If { .. }
                | Stm::Loop { form: LoopForm::While(_), .. }
                | Stm::Segment(_) => {}
            }
        }
    }
}
