//! # forward-stores: keep the elements of small arrays in scalars
//!
//! ## Rule
//!
//! ```text
//!   store a[2] = x  …  load y = a[2]   -->   store a[2] = x  …  y := x
//!   alloc a  …  store a[2] = x  …      -->   …
//! ```
//!
//! * *forward-store*: a load of an element that the point has just stored uses the scalar that it stored.
//! * *dead-array*: an array that the point never reads goes, and so do the stores to it.
//!
//! After `unroll`, the elements of an array such as `map (\d -> f (i + d)) [-1, 0, 1]` are stored and loaded at constant
//! places.
//!
//! ## Requires
//!
//! * *own-array*: no branch, loop or call passes the array on.
//! * *known-element*: the place of the element is a constant, and the last store to the array that may concern it is one
//!   to this place.
//! * *unread*: nothing reads the array.
//!
//! ## Ensures
//!
//! A scalar that was stored in a branch is not used after it, and one that was stored in an iteration of a loop is not used in
//! the next one.
//!
//! ## Leaves alone
//!
//! Arrays that other code than that of a point allocates.
//!
//! ## Costs
//!
//! Two walks over the program.
//!
//! ## Source
//!
//! Callahan, Carr and Kennedy, "Improving Register Allocation for Subscripted Variables" (PLDI 1990).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1i64 {
//!     alloc pair: block f64 = 2i64
//!     view pair1: f64 [2i64] = pair + 0i64 * [1i64]
//!     load x: f64 = xs1[i]
//!     store pair1[0i64] = x
//!     store pair1[1i64] = 3.0f64
//!     load y: f64 = pair1[0i64]
//!     load z: f64 = pair1[1i64]
//!     let w: f64 = mul(y, z)
//!     store out1[i] = w
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0]) -> ([]f64) {
//!   view xs1_2: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_3: block f64 = n_0
//!   view out1_4: f64 [n_0] = out_3 + 0i64 * [1i64]
//!   segment map (i_5 < n_0) chunk 1i64 {
//!     load x_6: f64 = xs1_2[i_5]
//!     let w_7: f64 = mul(x_6, 3.0f64)
//!     store out1_4[i_5] = w_7
//!   }
//!   yield n_0, out_3
//! }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::visit::WriteVisitor;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use super::substitution::Substitution;
use super::{Rewrite, rewrite};
use crate::memory::occurrences::{block_of, view_of};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `forward-stores`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "forward-stores",
    about: "Keeps the elements of small arrays in scalars.",
    rules: &[FORWARD, DEAD],
    premises: &[OWN_ARRAY, KNOWN_ELEMENT, UNREAD],
    run,
};

const FORWARD: &str = "forward-store";
const DEAD: &str = "dead-array";

const OWN_ARRAY: Premise = Premise {
    name: "own-array",
    about: "no branch, loop or call passes the array on",
    otherwise: "the array is passed on",
};

const KNOWN_ELEMENT: Premise = Premise {
    name: "known-element",
    about: "the place of the element is a constant, and the last store to the array that may concern it is one to this place",
    otherwise: "the place of the element, or what is stored there, is not known",
};

const UNREAD: Premise =
    Premise { name: "unread", about: "nothing reads the array", otherwise: "the array is read" };

fn run(program: &mut Program, cx: &mut Cx) {
    rewrite(program, &mut EachBody(cx));
    program.remove_dead_code();
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        let mut own = OwnArrays::default();
        own.body(body);
        if own.allocated.is_empty() {
            return;
        }
        let known = own.allocated.iter().map(|&block| (block, BTreeMap::new())).collect();
        Forward { vars, own: &own, known, loaded: Substitution::default(), cx: self.0 }.body(body);
        let mut read = BTreeSet::new();
        Reads(vars, &mut read).body(body);
        Dead { vars, own: &own, read: &read, cx: self.0 }.body(body);
    }
}

/// The blocks that threads allocate, and those that are passed on.
#[derive(Default)]
struct OwnArrays {
    allocated: BTreeSet<Var>,
    passed_on: BTreeSet<Var>,
}

impl OwnArrays {
    /// The block that an array is a view of, if a thread allocates it.
    fn block(&self, array: Var, vars: &VarTable) -> Option<Var> {
        block_of(array, vars).filter(|block| self.allocated.contains(block))
    }
}

impl Visit for OwnArrays {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        if let (Stm::Alloc { block, .. }, LevelName::Thread) = (stm, L::NAME) {
            self.allocated.insert(*block);
        }
        self.children(stm);
    }

    fn transfer(&mut self, value: &Atom) {
        self.passed_on.extend(value.var());
    }

    fn borrow(&mut self, value: &Atom, _: bool) {
        self.passed_on.extend(value.var());
    }
}

/// The blocks that are read.
struct Reads<'a>(&'a VarTable, &'a mut BTreeSet<Var>);

impl Visit for Reads<'_> {
    fn read(&mut self, array: &Var) {
        self.1.extend(block_of(*array, self.0));
    }
}

/// The elements of an array that are known: the scalars that were stored at constant places.
type Elements = BTreeMap<i64, Atom>;

/// Replaces loads by what was stored.
struct Forward<'a> {
    vars: &'a mut VarTable,
    own: &'a OwnArrays,
    known: BTreeMap<Var, Elements>,
    /// The scalars in place of loaded elements.
    loaded: Substitution,
    cx: &'a mut Cx,
}

impl VisitMut for Forward<'_> {
    fn atom(&mut self, atom: &mut Atom) {
        self.loaded.atom(atom);
    }

    fn binder(&mut self, var: &mut Var) {
        self.loaded.info(&mut self.vars[*var]);
    }

    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            match &mut step.stm {
                Stm::If { cond, then, otherwise, .. } => {
                    self.atom(cond);
                    self.apart(then);
                    self.apart(otherwise);
                    self.forget_stores(then);
                    self.forget_stores(otherwise);
                }
                Stm::Loop { body, .. } => {
                    self.forget_stores(body);
                    let before = self.known.clone();
                    self.children(&mut step.stm);
                    self.known = before;
                }
                _ => self.step(&mut step),
            }
            match &step.stm {
                Stm::Load { var, array, indices } => {
                    if let Some(value) = self.element(*array, indices, &step.origin) {
                        self.loaded.insert(*var, value);
                        continue;
                    }
                }
                Stm::Store { array, indices, value } => self.note(*array, indices, *value),
                Stm::Copy { to, .. } => self.forget(*to),
                _ => {}
            }
            body.stms.push(step);
        }
        body.result.iter_mut().for_each(|result| self.transfer(result));
    }
}

impl Forward<'_> {
    /// Visits a side of a branch, and forgets what it stores.
    fn apart<L: Level>(&mut self, side: &mut Body<L>) {
        let before = self.known.clone();
        self.body(side);
        self.known = before;
    }

    fn forget(&mut self, array: Var) {
        if let Some(elements) = block_of(array, self.vars).and_then(|block| self.known.get_mut(&block)) {
            elements.clear();
        }
    }

    fn forget_stores<L: Level>(&mut self, body: &Body<L>) {
        let mut written = Vec::new();
        WriteVisitor(&mut |array| written.push(array)).body(body);
        written.into_iter().for_each(|array| self.forget(array));
    }

    /// What a load of an element gives, if it is known.
    fn element(&mut self, array: Var, indices: &[Atom], origin: &Origin) -> Option<Atom> {
        let block = self.own.block(array, self.vars)?;
        let place = place_of(array, indices, self.vars);
        let value = place.and_then(|place| self.known[&block].get(&place)).copied();
        let is_own = || !self.own.passed_on.contains(&block);
        match missing(&[(OWN_ARRAY, &is_own), (KNOWN_ELEMENT, &|| value.is_some())]) {
            None => value.filter(|_| self.cx.fire(FORWARD, origin)),
            Some(premise) => {
                self.cx.refuse(FORWARD, Refusal::of(premise), origin);
                None
            }
        }
    }

    /// Notes a store.
    fn note(&mut self, array: Var, indices: &[Atom], value: Atom) {
        let place = place_of(array, indices, self.vars);
        let elements = block_of(array, self.vars).and_then(|block| self.known.get_mut(&block));
        match (elements, place) {
            (Some(elements), Some(place)) => {
                elements.insert(place, value);
            }
            (Some(elements), None) => elements.clear(),
            (None, _) => {}
        }
    }
}

/// Removes arrays that are never read.
struct Dead<'a> {
    vars: &'a VarTable,
    own: &'a OwnArrays,
    read: &'a BTreeSet<Var>,
    cx: &'a mut Cx,
}

impl VisitMut for Dead<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        body.stms.retain(|step| match &step.stm {
            Stm::Store { array, .. } => !self.is_dead(*array, &step.origin),
            _ => true,
        });
        body.stms.iter_mut().for_each(|step| self.step(step));
    }
}

impl Dead<'_> {
    /// Whether an array goes to which a statement of this origin stores.
    fn is_dead(&mut self, array: Var, origin: &Origin) -> bool {
        let Some(block) = self.own.block(array, self.vars) else { return false };
        let is_own = || !self.own.passed_on.contains(&block);
        match missing(&[(OWN_ARRAY, &is_own), (UNREAD, &|| !self.read.contains(&block))]) {
            None => self.cx.fire(DEAD, origin),
            Some(premise) => {
                self.cx.refuse(DEAD, Refusal::of(premise), origin);
                false
            }
        }
    }
}

/// Where an element lies in its block, if that is a constant.
fn place_of(array: Var, indices: &[Atom], vars: &VarTable) -> Option<i64> {
    let view = view_of(array, vars)?;
    let number = |atom: Atom| match atom {
        Atom::Const(PrimValue::I64(number)) => Some(number),
        _ => None,
    };
    indices.iter().zip(&view.strides).try_fold(number(view.offset)?, |place, (&index, &stride)| {
        place.checked_add(number(index)?.checked_mul(number(stride)?)?)
    })
}
