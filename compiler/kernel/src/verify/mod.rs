//! The law book of kernel IR, and the only way to a [`MemProgram`], which is all that backends take.
//!
//! **Checks**, for a given [`Target`]:
//! * scopes: every variable is bound before its use, in a body that encloses it, and only once;
//! * types: of operands, indices, conditions, merge parameters, results of branches, loops,
//!   segments and operators; an array (a name for a view) never stands as a value;
//! * views: the block's element type is the view's; as many strides as sizes; all i64;
//! * as many indices as dimensions; copies between views of one element type and one rank;
//! * blocks: a private block is made inside a thread, with a constant count within the target's
//!   capacity, and never leaves it; a device block is made inside a thread only where the target
//!   has `thread_allocation`, and only there blocks flow through a thread's branches and loops;
//! * workgroup blocks: bound at block level and used in that body only; they flow through no branch, loop or call.
//!   Where the target states its `workgroup_bytes`, counts are constants and all blocks of a grid segment together
//!   take no more; elsewhere a count is bound before the grid segment;
//! * block level: only scalars, views, workgroup blocks, loads, branches, loops, assertions and segments; what steers
//!   it is uniform because threads bind nothing that outlives them; no results;
//! * constants: of the block's type, bound at host level, never stored to, no values;
//! * host level: stores only where the target has `host_elements`; copies between views whose
//!   strides are the products of the inner sizes, as far as the program's own multiplications say;
//! * segments: a chunk of i64 and sizes of i64; a map yields nothing; reductions and scans have at least one operator,
//!   scalar values, and `outs` of the rank of the space, of reductions one less; of a grid segment they have one
//!   dimension;
//! * a point of a grid segment reads of a block that its segment changes only after a statement with which it stored
//!   there itself, so that it can run twice (`again`); a segment of one point may do as it likes, and so may a map of
//!   threads that cannot fail. For a block of threads every block segment counts that stored there before;
//! * a thread of a block segment reads of a block that its segment changes only after it has stored there itself, lest
//!   threads race;
//! * assertions: a bool, and arguments of the types that the message states;
//! * traces: at host level, of values of the stated types;
//! * entry points: unique names; parameters and results of the stated types; a block is no result
//!   twice, nor if it is a parameter that is not consumed;
//! * functions: the same; none where the target has no `calls`; none stores to a parameter that it
//!   does not consume;
//! * calls: a function of this level and name; arguments and binders of the types that it states,
//!   and stars where it consumes.
//!
//! **Does not check**: that indices are in bounds and views within their blocks; that operators
//! fail on nothing, are associative and have that neutral element; that the points of a segment
//! store to different places and read nothing that another point stores, nor elements that they have
//! not stored yet of a block that they have stored to; that the sides of a copy
//! are apart and of one size; that distinct blocks of host level are distinct memory.

mod body;
mod call;
mod rerun;
mod segment;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

use ravel_abi::Machine;
use ravel_base::{Diagnostic, Symbol};
use ravel_prim::PrimType;

use crate::print::name_of;
use crate::products::Products;
use crate::syntax::*;
use crate::target::Target;

/// A program in which every array has a block and an index function, and which its target can run.
#[derive(Clone, Debug, PartialEq)]
pub struct MemProgram {
    program: Program,
    target: Target,
}

impl MemProgram {
    /// The program, if it keeps the laws.
    pub fn verify(program: Program, target: &Target) -> Result<MemProgram, VerifyError> {
        check(&program, target)?;
        Ok(MemProgram { program, target: target.clone() })
    }

    /// The description of the machine that it was verified for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The same, if that is the machine of this backend. A backend that took another program would rely on laws that nothing
    /// has checked.
    ///
    /// # Errors
    /// A bug of the driver.
    pub fn for_machine(&self, machine: Machine, backend: &str) -> Result<&Target, Diagnostic> {
        let Target { name, machine: own, .. } = self.target;
        if own == machine {
            return Ok(&self.target);
        }
        let [own, machine] = [own, machine].map(Machine::name);
        Err(Diagnostic::bug(format!(
            "{backend} makes code for a {machine}, but the program was verified for the target \"{name}\", a {own}"
        )))
    }

    /// The program, to be changed and verified again.
    pub fn into_program(self) -> Program {
        self.program
    }
}

/// Does the program keep the laws?
///
/// # Errors
/// The first one that it breaks.
pub fn check(program: &Program, target: &Target) -> Result<(), VerifyError> {
    call::functions::<Host>(program, target)?;
    call::functions::<Thread>(program, target)?;
    let mut names = BTreeSet::new();
    for entry in &program.entries {
        let mut verifier = Verifier::new("entry", entry.name, &entry.vars, program, target);
        if !names.insert(entry.name) {
            return verifier.fail("a second entry of this name");
        }
        verifier.entry(entry)?;
    }
    Ok(())
}

impl Deref for MemProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

/// Which law a program breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The entry point or the function.
    pub place: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for VerifyError {}

type Checked<T = ()> = Result<T, VerifyError>;

struct Verifier<'a> {
    place: String,
    vars: &'a VarTable,
    program: &'a Program,
    target: &'a Target,
    /// All variables bound so far, in scope or not.
    bound: BTreeSet<Var>,
    /// The variables in scope, in the order they were bound.
    scope: Vec<Var>,
    in_scope: BTreeSet<Var>,
    /// Where the statement at hand is.
    level: LevelName,
    /// Of a grid segment of blocks: how many variables were in scope before it, and how many bytes of workgroup
    /// memory it has taken.
    outside: usize,
    workgroup_bytes: i64,
    /// The blocks of constants.
    constants: BTreeSet<Var>,
    products: Products,
}

impl<'a> Verifier<'a> {
    fn new(
        what: &str,
        name: Symbol,
        vars: &'a VarTable,
        program: &'a Program,
        target: &'a Target,
    ) -> Verifier<'a> {
        Verifier {
            place: format!("{what} \"{name}\""),
            vars,
            program,
            target,
            bound: BTreeSet::new(),
            scope: Vec::new(),
            in_scope: BTreeSet::new(),
            level: LevelName::Host,
            outside: 0,
            workgroup_bytes: 0,
            constants: BTreeSet::new(),
            products: Products::default(),
        }
    }

    fn entry(&mut self, entry: &Entry) -> Checked {
        for &size in &entry.sizes {
            self.bind(size)?;
            self.expect_scalar(Atom::Var(size), PrimType::I64, "a size of a parameter")?;
        }
        for param in &entry.params {
            self.param(param, &entry.sizes)?;
        }
        let types = self.body(&entry.body)?;
        let mut blocks = BTreeSet::new();
        for var in self.values(&entry.body.result, types, &entry.results)? {
            if !blocks.insert(var) {
                return self.fail(format!("{} is a result twice", self.show(var)));
            }
            if entry.params.iter().any(|param| param.var == var && !param.consumed) {
                return self.fail(format!("the result {} is not the program's own", self.show(var)));
            }
        }
        Ok(())
    }

    /// Checks values that leave the program, of the types found, against the types stated; gives the blocks
    /// among them.
    fn values(&self, atoms: &[Atom], types: Vec<Type>, stated: &[ResultType]) -> Checked<Vec<Var>> {
        let mut values = atoms.iter().zip(types);
        let mut blocks = Vec::new();
        for result in stated {
            for _ in 0..result.rank {
                match values.next() {
                    Some((_, Type::Scalar(PrimType::I64))) => (),
                    _ => return self.fail("a size of a result is missing"),
                }
            }
            match (values.next(), result.rank) {
                (Some((_, Type::Scalar(ty))), 0) if ty == result.elem => (),
                (Some((&Atom::Var(var), Type::Block(block))), 1..) if block.elem == result.elem => {
                    blocks.push(var);
                }
                _ => return self.fail("a result of another type than stated"),
            }
        }
        match values.next() {
            None => Ok(blocks),
            Some(_) => self.fail("more results than stated"),
        }
    }

    fn param(&mut self, param: &Param, sizes: &[Var]) -> Checked {
        self.bind(param.var)?;
        let known = |&size: &Atom| match size {
            Atom::Var(var) => sizes.contains(&var),
            Atom::Const(value) => value.as_i64().is_some(),
        };
        if !param.shape.iter().all(known) {
            return self.fail(format!("a size of {} is not a size of the entry", self.show(param.var)));
        }
        match (&self.vars[param.var].ty, param.shape.is_empty()) {
            (Type::Scalar(_), true) | (Type::Block(BlockType { space: Space::Device, .. }), false) => Ok(()),
            _ => self.fail(format!("the parameter {} does not fit its shape", self.show(param.var))),
        }
    }

    /// Brings a variable into scope.
    fn bind(&mut self, var: Var) -> Checked<&'a Type> {
        let Some(info) = self.vars.get(var) else { return self.fail(format!("{var} is not in the table")) };
        if !self.bound.insert(var) {
            return self.fail(format!("{} is bound twice", self.show(var)));
        }
        self.scope.push(var);
        self.in_scope.insert(var);
        Ok(&info.ty)
    }

    /// Takes what was bound since the scope had this length out of scope.
    fn leave(&mut self, length: usize) {
        for var in self.scope.drain(length..) {
            self.in_scope.remove(&var);
        }
    }

    /// The type of a variable in scope.
    fn var(&self, var: Var) -> Checked<&'a Type> {
        match self.vars.get(var) {
            Some(info) if self.in_scope.contains(&var) => Ok(&info.ty),
            _ => self.fail(format!("{} is not in scope", self.show(var))),
        }
    }

    /// The type of a value: a scalar or a block.
    fn atom(&self, atom: Atom) -> Checked<Type> {
        match atom {
            Atom::Const(value) => Ok(Type::Scalar(value.ty())),
            Atom::Var(var) => match self.var(var)? {
                Type::Array(_) => self.fail(format!("the array {} is no value", self.show(var))),
                Type::Block(_) if self.constants.contains(&var) => {
                    self.fail(format!("the constants {} are no value", self.show(var)))
                }
                ty => Ok(ty.clone()),
            },
        }
    }

    fn scalar(&self, atom: Atom) -> Checked<PrimType> {
        match self.atom(atom)? {
            Type::Scalar(ty) => Ok(ty),
            _ => self.fail("a block where a scalar is needed"),
        }
    }

    fn expect_scalar(&self, atom: Atom, ty: PrimType, what: &str) -> Checked {
        match self.scalar(atom)? {
            found if found == ty => Ok(()),
            found => self.fail(format!("{what} is {found}, not {ty}")),
        }
    }

    /// Checks that all are i64.
    fn positions(&self, atoms: &[Atom], what: &str) -> Checked {
        atoms.iter().try_for_each(|&atom| self.expect_scalar(atom, PrimType::I64, what))
    }

    /// The view of an array in scope.
    fn array(&self, var: Var) -> Checked<&'a View> {
        match self.var(var)? {
            Type::Array(view) => Ok(view),
            _ => self.fail(format!("{} is no array", self.show(var))),
        }
    }

    fn show(&self, var: Var) -> String {
        name_of(self.vars, var)
    }

    fn fail<T>(&self, what: impl Into<String>) -> Checked<T> {
        Err(VerifyError { place: self.place.clone(), what: what.into() })
    }
}
