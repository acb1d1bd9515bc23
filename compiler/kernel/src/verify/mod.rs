//! The verifier of kernel IR. Backends accept only a [`MemProgram`], and only the verifier makes one.
//!
//! **Checks**, for a given [`Target`]:
//! * **Scopes.** Every variable is bound once, and used only after its binding and in the body that binds it.
//! * **Types** of operands, indices, conditions, merge parameters, and results of branches, loops, segments and
//!   operators. An array (a name for a view) is never used as a value.
//! * **Views.** A view and its memory block have the same element type. There are as many strides as sizes, and all are i64.
//! * **Accesses.** There are as many indices as dimensions. The two views of a copy have the same element type and rank.
//! * **Private blocks** are allocated inside a thread, with a constant count within the target's capacity. They do not
//!   leave the thread.
//! * **Device blocks in threads.** A thread may allocate device blocks, and pass blocks through branches and loops, only
//!   if the target has `thread_allocation`.
//! * **Workgroup blocks** are allocated at workgroup level and used only in that body. They do not pass through branches,
//!   loops or calls. If the target limits `workgroup_bytes`, counts are constants, and all blocks of a grid segment
//!   together are within the limit. Otherwise counts are bound before the grid segment.
//! * **Bodies of workgroups** contain only scalars, views, workgroup blocks, loads, branches, loops, assertions and
//!   segments. They have no results. Their conditions are uniform, because no variable of a thread is in scope.
//! * **Constants** have the type of their block. They are bound at host level, never stored to, and not used as values.
//! * **The host** stores elements only if the target has `host_elements`. It copies only contiguous row-major views: the
//!   strides must be products of the inner sizes, as shown by the multiplications in the program.
//! * **Segments.** The chunk and the sizes are i64, and a constant chunk is at least 1. A map has no results. A reduction
//!   or scan has at least one operator, and combines scalars. The `outs` of a scan have the rank of the space, the `outs` of a reduction one less.
//! * **Points that run again** (`rerun`). If a grid segment stores to a memory block, a point reads this block only
//!   after its own store to it. If a workgroup computes the point, the stores of its earlier inner segments
//!   count as the point's own. A segment of one point and a map of threads that cannot fail are exempt.
//! * **Races** (`race`). If an inner segment both stores to a memory block and reads it, different threads store to different
//!   elements: every counter is an index of each store, in the same dimension of the same injective layout. A thread reads
//!   only elements that it has stored before, through the same view at the same indices.
//! * **Combinations** are in inner segments that map, into workgroup memory, by an operator that is atomic, and only if the
//!   target has `histogram_passes`. The segment accesses the block in no other way, and by one operator (`race`). The body
//!   of the workgroup loads nothing from it.
//! * **Assertions** have a bool, and arguments of the types in the message.
//! * **Traces** are at host level, and their values have the types in the trace.
//! * **Entry points** have unique names, and parameters and results of the declared types. No block is a result twice.
//!   A parameter that is not consumed is not a result and not stored to.
//! * **Functions** obey the rules of entry points, and exist only if the target has `calls`.
//! * **Calls** name a function of their own level. Arguments and binders have the function's types, and an argument is
//!   marked as consumed exactly if the function consumes the parameter.
//!
//! **Does not check** that
//! * indices are in bounds, and views are within their blocks;
//! * operators do not fail, are associative, and have the given neutral element;
//! * the points of a grid segment store to different elements, and read no element that another point stores;
//! * the points of an inner segment store to different elements of a block that the segment does not read;
//! * a point of a grid segment that has stored to a block reads only those elements of it that it has stored;
//! * the arrays of a copy are disjoint and have equal sizes;
//! * distinct blocks at host level are distinct memory.

mod body;
mod call;
mod race;
mod rerun;
mod segment;
mod stores;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

use ravel_abi::Machine;
use ravel_base::{Diagnostic, FileId, Names, Span, Symbol, TextFault};
use ravel_prim::PrimType;

use crate::parse::parse_as_written;
use crate::print::name_of;
use crate::products::Products;
use crate::syntax::*;
use crate::target::Target;
use crate::uses::Uses;

/// A program in which every array has a block and an index function, and which its target can run.
#[derive(Clone, Debug, PartialEq)]
pub struct MemProgram {
    program: Program,
    target: Target,
}

impl MemProgram {
    /// The program, if it is valid for the target.
    pub fn verify(program: Program, target: &Target) -> Result<MemProgram, VerifyError> {
        check(&program, target)?;
        Ok(MemProgram { program, target: target.clone() })
    }

    /// The target for which the program was verified.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The target, if it describes the machine of this backend. The rules depend on the target, so a backend can rely
    /// only on a program that was verified for its own machine.
    ///
    /// # Errors
    /// The program is for another machine: a bug of the driver.
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

    /// The program without its guarantee. It must be verified again after a change.
    pub fn into_program(self) -> Program {
        self.program
    }
}

/// Checks that a program is valid for a target.
///
/// # Errors
/// The first rule that the program violates.
pub fn check(program: &Program, target: &Target) -> Result<(), VerifyError> {
    check_naming(program, target, Names::Printed)
}

/// The first violation for a target in a text of this file, if it can be parsed.
pub fn fault_in_text(text: &str, file: FileId, target: &Target) -> Option<TextFault> {
    let (program, results) = parse_as_written(text, file).ok()?;
    let VerifyError { span, body, what, .. } = check_naming(&program, target, Names::Written).err()?;
    Some(TextFault { span: results.place(span, body), message: what })
}

fn check_naming(program: &Program, target: &Target, names: Names) -> Result<(), VerifyError> {
    let unit = Unit { program, target, names };
    call::functions::<Host>(unit)?;
    call::functions::<Thread>(unit)?;
    let mut known = BTreeSet::new();
    for entry in &program.entries {
        let mut verifier = Verifier::new("entry", entry.name, &entry.vars, unit);
        let checked = match known.insert(entry.name) {
            true => verifier.entry(entry),
            false => verifier.fail("another entry has this name"),
        };
        checked.map_err(|error| error.within(&entry.origin))?;
    }
    Ok(())
}

/// What is checked.
#[derive(Clone, Copy)]
struct Unit<'a> {
    program: &'a Program,
    target: &'a Target,
    names: Names,
}

impl Deref for MemProgram {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

/// The rule that a program violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The entry point or the function.
    pub place: String,
    /// The place in the source of the innermost statement to blame, otherwise of the entry point or the function, if its
    /// origin has one.
    pub span: Option<Span>,
    /// If the results of a body there are to blame: its number among the bodies of the statement, the entry point or the
    /// function, in the order of the text.
    pub body: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl VerifyError {
    /// Blames the results of the body with this number, unless something inside it is already to blame.
    fn in_results(self, body: usize) -> VerifyError {
        match self {
            VerifyError { span: None, body: None, .. } => VerifyError { body: Some(body), ..self },
            _ => self,
        }
    }

    /// Blames what has this origin, unless something inside it is already to blame.
    fn within(self, origin: &Origin) -> VerifyError {
        VerifyError { span: self.span.or_else(|| origin.place()), ..self }
    }
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
    names: Names,
    /// All variables bound so far, in scope or not.
    bound: BTreeSet<Var>,
    /// The variables in scope, in the order they were bound.
    scope: Vec<Var>,
    in_scope: BTreeSet<Var>,
    /// The level of the current statement.
    level: LevelName,
    /// The number of bodies of the current statement that have been checked.
    bodies: usize,
    /// In a grid segment of workgroups, the number of variables in scope before the segment.
    outside: usize,
    /// In a grid segment of workgroups, the bytes of workgroup memory allocated so far.
    workgroup_bytes: i64,
    /// In a grid segment of workgroups, the memory blocks into which threads combine.
    combined: BTreeSet<Var>,
    /// The memory blocks of constants.
    constants: BTreeSet<Var>,
    products: Products,
}

impl<'a> Verifier<'a> {
    fn new(what: &str, name: Symbol, vars: &'a VarTable, unit: Unit<'a>) -> Verifier<'a> {
        let Unit { program, target, names } = unit;
        Verifier {
            place: format!("{what} \"{name}\""),
            vars,
            program,
            target,
            names,
            bound: BTreeSet::new(),
            scope: Vec::new(),
            in_scope: BTreeSet::new(),
            level: LevelName::Host,
            bodies: 0,
            outside: 0,
            workgroup_bytes: 0,
            combined: BTreeSet::new(),
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
        let kept = |var| entry.params.iter().any(|param| param.var == var && !param.consumed);
        self.stores_to_consumed(&entry.body, &Uses::of_entry(entry), kept)?;
        let results = || {
            let blocks = self.values(&entry.body.result, types, &entry.results)?;
            self.results_are_own(&blocks, kept)
        };
        results().map_err(|error| error.in_results(0))
    }

    /// Checks that each of these result blocks is returned once, and is not a parameter that the caller keeps.
    fn results_are_own(&self, blocks: &[Var], kept: impl Fn(Var) -> bool) -> Checked {
        for (index, &var) in blocks.iter().enumerate() {
            if blocks[..index].contains(&var) {
                return self.fail(format!("{} is a result twice", self.show(var)));
            }
            if kept(var) {
                return self
                    .fail(format!("the result {} is a parameter that is not consumed", self.show(var)));
            }
        }
        Ok(())
    }

    /// Checks that the types of results or traced values are the declared ones. Returns the blocks among the values.
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
                _ => return self.fail("a result does not have the stated type"),
            }
        }
        match values.next() {
            None => Ok(blocks),
            Some(_) => self.fail("there are more results than stated"),
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

    /// Ends the scope of all variables except the first `length`.
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
                Type::Array(_) => self.fail(format!("the array {} is not a value", self.show(var))),
                Type::Block(_) if self.constants.contains(&var) => {
                    self.fail(format!("the constants {} are not a value", self.show(var)))
                }
                ty => Ok(ty.clone()),
            },
        }
    }

    fn scalar(&self, atom: Atom) -> Checked<PrimType> {
        match self.atom(atom)? {
            Type::Scalar(ty) => Ok(ty),
            _ => self.fail("a memory block where a scalar is needed"),
        }
    }

    fn expect_scalar(&self, atom: Atom, ty: PrimType, what: &str) -> Checked {
        match self.scalar(atom)? {
            found if found == ty => Ok(()),
            found => self.fail(format!("{what} is {found}, not {ty}")),
        }
    }

    /// Checks that all atoms are i64.
    fn positions(&self, atoms: &[Atom], what: &str) -> Checked {
        atoms.iter().try_for_each(|&atom| self.expect_scalar(atom, PrimType::I64, what))
    }

    /// The view of an array in scope.
    fn array(&self, var: Var) -> Checked<&'a View> {
        match self.var(var)? {
            Type::Array(view) => Ok(view),
            _ => self.fail(format!("{} is not an array", self.show(var))),
        }
    }

    fn show(&self, var: Var) -> String {
        match self.vars.get(var).and_then(|info| info.hint) {
            Some(name) if self.names == Names::Written => name.to_string(),
            _ => name_of(self.vars, var),
        }
    }

    fn fail<T>(&self, what: impl Into<String>) -> Checked<T> {
        Err(VerifyError { place: self.place.clone(), span: None, body: None, what: what.into() })
    }
}
