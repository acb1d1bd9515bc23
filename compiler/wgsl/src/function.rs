//! A function of a module in the making: its names, its text, and the memory it reaches.
//!
//! Positions are computed in 32 bits, whatever the sizes are: sums of products are exact modulo 2^32, and every position fits.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ravel_abi::plan::Slot;
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, Space, Type, Var, View};

use crate::module::Module;
use crate::scalar::{from_stored, to_stored, type_name};
use crate::statement::Code;

/// A function in the making, with code of one level.
pub(crate) struct Function<'m, 'a, L: Code> {
    /// The module that will hold it.
    pub module: &'m mut Module<'a>,
    /// What the statements of this level keep track of.
    pub state: L::State,
    /// Can an assertion in it fail, as far as it is written?
    pub fails: bool,
    /// How to leave the function after a failure.
    pub leave: String,
    /// How deeply its braces nest.
    pub indent: usize,
    /// The expressions of the scalars bound inside.
    known: Names,
    /// The expressions of the scalars of the enclosing block.
    outer: Option<&'m Names>,
    /// The scalars of the block that the function mentions. They become parameters.
    captured: BTreeSet<Var>,
    /// The private blocks: name and capacity.
    private: BTreeMap<Var, (String, u32)>,
    /// Declarations of private blocks. They stand at the top, so that no loop initialises them in each round.
    arrays: String,
    text: String,
}

/// Scalars with their expressions.
pub(crate) type Names = BTreeMap<Var, String>;

/// What callers need of a finished function.
pub(crate) struct Callee {
    name: String,
    captured: Vec<String>,
    /// Can it fail?
    pub fails: bool,
}

impl Callee {
    /// A call of it.
    pub(crate) fn call(&self, args: &[&str]) -> String {
        let args: Vec<&str> = args.iter().copied().chain(self.captured.iter().map(String::as_str)).collect();
        format!("{}({})", self.name, args.join(", "))
    }
}

impl<'m, 'a, L: Code> Function<'m, 'a, L> {
    /// A function that the statement `leave` leaves early. A function of a thread inside a block may mention the scalars
    /// of that block, `outer`.
    pub(crate) fn new(
        module: &'m mut Module<'a>,
        leave: impl Into<String>,
        outer: Option<&'m Names>,
    ) -> Function<'m, 'a, L> {
        Function {
            module,
            state: L::State::default(),
            fails: false,
            leave: leave.into(),
            indent: 1,
            known: Names::new(),
            outer,
            captured: BTreeSet::new(),
            private: BTreeMap::new(),
            arrays: String::new(),
            text: String::new(),
        }
    }

    /// Adds the function to the module: its parameters, its result (`-> T`, if any) and its last statement, if any.
    pub(crate) fn define(
        self,
        name: String,
        params: &str,
        result: &str,
        last: &str,
    ) -> Result<Callee, Diagnostic> {
        let mut params: Vec<String> = if params.is_empty() { Vec::new() } else { vec![params.to_owned()] };
        let mut captured = Vec::new();
        for &var in &self.captured {
            let ty = type_name(self.module.scalar_type(Atom::Var(var))?);
            params.push(format!("{}: {ty}", self.module.name(var)));
            captured.extend(self.outer.and_then(|outer| outer.get(&var)).cloned());
        }
        let last = if last.is_empty() { String::new() } else { format!("    {last}\n") };
        let params = params.join(", ");
        let arrow = if result.is_empty() { String::new() } else { format!(" -> {result}") };
        let Function { module, arrays, text, fails, .. } = self;
        module.function(&format!("fn {name}({params}){arrow} {{\n{arrays}{text}{last}}}"));
        Ok(Callee { name, captured, fails })
    }

    /// The module, and the scalars that functions of this block's threads may mention.
    pub(crate) fn inner(&mut self) -> (&mut Module<'a>, &Names) {
        (self.module, &self.known)
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds a line that ends in an opening brace.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// Adds the closing brace.
    pub(crate) fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Binds a scalar to an expression that needs no evaluation.
    pub(crate) fn know(&mut self, var: Var, text: String) {
        self.known.insert(var, text);
    }

    /// Binds a scalar by a `let`.
    pub(crate) fn bind(&mut self, var: Var, text: &str) {
        let name = self.module.name(var);
        self.line(&format!("let {name} = {text};"));
        self.known.insert(var, name);
    }

    /// Binds the counters of an index space to the indices of the point with flat index `at`.
    pub(crate) fn bind_counters(
        &mut self,
        space: &[(Var, Atom)],
        at: &str,
        index: Index,
    ) -> Result<(), Diagnostic> {
        for (dim, &(counter, size)) in space.iter().enumerate().rev() {
            let rest = if dim + 1 == space.len() { at.to_owned() } else { format!("rest{dim}") };
            if dim == 0 {
                self.bind(counter, &format!("i64({rest})"));
            } else {
                let size = match index.of(&self.atom(size)?) {
                    // Nothing runs over an empty space, but a shader that divides by a constant zero is invalid.
                    zero if zero == index.of("0li") => index.of("1li"),
                    size => size,
                };
                self.bind(counter, &format!("i64({rest} % {size})"));
                self.line(&format!("let rest{} = {rest} / {size};", dim - 1));
            }
        }
        Ok(())
    }

    /// A scalar as an expression.
    pub(crate) fn atom(&mut self, atom: Atom) -> Result<String, Diagnostic> {
        let var = match atom {
            Atom::Const(value) => return Ok(self.module.constant(value)),
            Atom::Var(var) => var,
        };
        if let Some(text) = self.known.get(&var) {
            return Ok(text.clone());
        }
        if self.outer.is_some_and(|outer| outer.contains_key(&var)) {
            self.captured.insert(var);
            return Ok(self.module.name(var));
        }
        self.module.host_scalar(var)
    }

    /// Scalars as expressions.
    pub(crate) fn atoms(&mut self, atoms: &[Atom]) -> Result<Vec<String>, Diagnostic> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// Declares a private array.
    pub(crate) fn private_array(&mut self, block: Var, elem: &str, capacity: u32) {
        let name = self.module.name(block);
        let _ = writeln!(self.arrays, "    var {name}: array<{elem}, {capacity}>;");
        self.private.insert(block, (name, capacity));
    }

    /// The element of an array as an expression.
    pub(crate) fn load(&mut self, array: Var, indices: &[String]) -> Result<String, Diagnostic> {
        let view = self.module.view(array)?;
        let place = self.place(view, indices, false)?;
        Ok(if self.private.contains_key(&view.block) { place } else { from_stored(view.elem, place) })
    }

    /// Writes an element of an array.
    pub(crate) fn store(&mut self, array: Var, indices: &[String], value: &str) -> Result<(), Diagnostic> {
        let view = self.module.view(array)?;
        let place = self.place(view, indices, true)?;
        let stored = match self.private.contains_key(&view.block) {
            true => value.to_owned(),
            false => to_stored(view.elem, value),
        };
        self.line(&format!("{place} = {stored};"));
        Ok(())
    }

    /// The element of a view as it is stored, to be read, or also written.
    pub(crate) fn place(
        &mut self,
        view: &View,
        indices: &[String],
        written: bool,
    ) -> Result<String, Diagnostic> {
        let capacity = match self.private.get(&view.block) {
            Some(&(_, capacity)) => Some(capacity),
            None => self.module.workgroup_capacity(view.block),
        };
        let position = self.position(view, indices, capacity)?;
        let name = match (self.private.get(&view.block), &self.module.vars[view.block].ty) {
            (Some((name, _)), _) => name.clone(),
            (None, Type::Block(ty)) if ty.space == Space::Device => {
                let name = self.module.name(view.block);
                self.module.block(&name, ty.elem, Slot(view.block.0), written)
            }
            (None, Type::Block(_)) if capacity.is_some() => self.module.name(view.block),
            _ => {
                return Err(Diagnostic::bug(format!(
                    "wgsl: {} is no block here",
                    self.module.name(view.block)
                )));
            }
        };
        Ok(format!("{name}[{position}]"))
    }

    /// The position of an element in its block: `offset + Σ index * stride`, a u32. The constant part is computed here: in
    /// WGSL it is an error if it overflows or lies outside the block. A constant position outside the block is never
    /// accessed, so any other serves.
    fn position(
        &mut self,
        view: &View,
        indices: &[String],
        capacity: Option<u32>,
    ) -> Result<String, Diagnostic> {
        let mut fixed = 0u32;
        let mut terms = Vec::new();
        match constant_word(&self.atom(view.offset)?) {
            Some(offset) => fixed = offset,
            None => terms.push(low_word(&self.atom(view.offset)?)),
        }
        for (index, &stride) in indices.iter().zip(&view.strides) {
            let stride = self.atom(stride)?;
            match (constant_word(index), constant_word(&stride)) {
                (Some(index), Some(stride)) => fixed = fixed.wrapping_add(index.wrapping_mul(stride)),
                (Some(0), _) | (_, Some(0)) => {}
                (_, Some(1)) => terms.push(low_word(index)),
                _ => terms.push(format!("{} * {}", low_word(index), low_word(&stride))),
            }
        }
        if terms.is_empty() {
            let inside = if fixed < capacity.unwrap_or(i32::MAX as u32) { fixed } else { 0 };
            terms.push(format!("{inside}u"));
        } else if fixed != 0 {
            terms.insert(0, format!("{fixed}u"));
        }
        Ok(terms.join(" + "))
    }
}

/// The type of the numbers of points.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Index {
    /// A u32: the points are known to be few enough.
    #[default]
    Word,
    /// An i64.
    Long,
}

impl Index {
    /// Its name in WGSL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Index::Word => "u32",
            Index::Long => "i64",
        }
    }

    /// An i64 expression as one of this type.
    pub(crate) fn of(self, text: &str) -> String {
        match self {
            Index::Word => low_word(text),
            Index::Long => text.to_owned(),
        }
    }
}

/// The low 32 bits of an i64 expression.
fn low_word(text: &str) -> String {
    match constant_word(text) {
        Some(word) => format!("{word}u"),
        None => format!("u32({text})"),
    }
}

/// The low 32 bits of an i64 literal.
fn constant_word(text: &str) -> Option<u32> {
    text.strip_suffix("li")?.parse::<i64>().ok().map(|value| value as u32)
}
