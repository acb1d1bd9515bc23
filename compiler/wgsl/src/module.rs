//! A kernel under construction. It collects the declarations of the WGSL module while the functions are written.

use std::collections::BTreeMap;
use std::fmt::Write;

use ravel_abi::plan::{self, Binding, Kernel, Operand, Slot, Worker};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::{Atom, Type, Var, VarTable, View};
use ravel_prim::{PrimType, PrimValue};

use crate::helpers::Helpers;
use crate::operators::Operators;
use crate::scalar::{carrier, from_stored, literal, stored_type};

/// A kernel under construction.
///
/// At its first use, a scalar of the host becomes a member of the struct `Params`, and a block becomes a binding.
pub(crate) struct Module<'a> {
    /// The variables of the entry point.
    pub vars: &'a VarTable,
    /// The source location for diagnostics.
    pub span: Option<Span>,
    name: String,
    workgroup: u32,
    worker: Worker,
    helpers: Helpers,
    params: Vec<Param>,
    blocks: Vec<Block>,
    workgroup_vars: String,
    workgroup_bytes: usize,
    /// The blocks in workgroup memory, with their capacities.
    workgroup_blocks: BTreeMap<Var, u32>,
    /// The sizes of the index spaces of block segments inside the kernel.
    inner: Vec<Vec<Operand>>,
    functions: String,
    /// If a thread can fail, the number of arguments of the longest message.
    failure: Option<usize>,
}

struct Param {
    name: String,
    ty: PrimType,
    from: Operand,
}

struct Block {
    name: String,
    binding: Binding,
    from: Slot,
}

/// A finished kernel, with the blocks and scalars that a launch binds to it.
pub(crate) struct Built {
    /// The kernel.
    pub kernel: Kernel,
    /// The blocks for its bindings, in order.
    pub blocks: Vec<Slot>,
    /// The scalars for its parameters, in order.
    pub scalars: Vec<Operand>,
    /// The sizes of the index spaces of block segments inside the kernel.
    pub inner: Vec<Vec<Operand>>,
}

impl<'a> Module<'a> {
    /// An empty module. `workgroup` is the number of threads of a workgroup. `worker` says whether a thread or a
    /// workgroup runs each chunk of points.
    pub(crate) fn new(
        vars: &'a VarTable,
        span: Option<Span>,
        name: String,
        workgroup: u32,
        worker: Worker,
    ) -> Module<'a> {
        Module {
            vars,
            span,
            name,
            workgroup,
            worker,
            helpers: Helpers::default(),
            params: Vec::new(),
            blocks: Vec::new(),
            workgroup_vars: String::new(),
            workgroup_bytes: 0,
            workgroup_blocks: BTreeMap::new(),
            inner: Vec::new(),
            functions: String::new(),
            failure: None,
        }
    }

    /// The number of threads of a workgroup.
    pub(crate) fn workgroup(&self) -> u32 {
        self.workgroup
    }

    /// A writer of expressions for this module.
    pub(crate) fn operators(&mut self) -> Operators<'_> {
        Operators { helpers: &mut self.helpers }
    }

    /// The name of a variable of the program. It is unique because it contains the variable's number.
    pub(crate) fn name(&self, var: Var) -> String {
        let hint = self.vars[var].hint.map_or("v", |hint| hint.as_str());
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let word: String = hint.chars().map(plain).collect();
        let start = if word.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "v" };
        format!("{start}{word}_{}", var.0)
    }

    /// The type of a scalar.
    pub(crate) fn scalar_type(&self, atom: Atom) -> Result<PrimType, Diagnostic> {
        match atom {
            Atom::Const(value) => Ok(value.ty()),
            Atom::Var(var) => match self.vars[var].ty {
                Type::Scalar(ty) => Ok(ty),
                _ => Err(Diagnostic::bug(format!("wgsl: {} is no scalar", self.name(var)))),
            },
        }
    }

    /// The view of an array.
    pub(crate) fn view(&self, array: Var) -> Result<&'a View, Diagnostic> {
        match &self.vars[array].ty {
            Type::Array(view) => Ok(view),
            _ => Err(Diagnostic::bug(format!("wgsl: {} is no array", self.name(array)))),
        }
    }

    /// A constant as an expression.
    pub(crate) fn constant(&mut self, value: PrimValue) -> String {
        let text = literal(value);
        if text.starts_with("from_bits") {
            self.helpers.want("from_bits", carrier(value.ty()));
        }
        text
    }

    /// A scalar of the host as an expression.
    pub(crate) fn param(&mut self, name: &str, ty: PrimType, from: Operand) -> String {
        if self.params.iter().all(|param| param.name != name) {
            self.params.push(Param { name: name.to_owned(), ty, from });
        }
        from_stored(ty, format!("params.{name}"))
    }

    /// A scalar variable of the host as an expression.
    pub(crate) fn host_scalar(&mut self, var: Var) -> Result<String, Diagnostic> {
        let ty = self.scalar_type(Atom::Var(var))?;
        let name = self.name(var);
        Ok(self.param(&name, ty, Operand::Slot(Slot(var.0))))
    }

    /// The name of a block that the kernel reads, and also writes if `written`.
    pub(crate) fn block(&mut self, name: &str, elem: PrimType, from: Slot, written: bool) -> String {
        match self.blocks.iter_mut().find(|block| block.from == from) {
            Some(block) => {
                block.binding.written |= written;
                block.name.clone()
            }
            None => {
                let binding = Binding { elem, written };
                self.blocks.push(Block { name: name.to_owned(), binding, from });
                name.to_owned()
            }
        }
    }

    /// Notes that a thread can fail with a message of so many arguments.
    pub(crate) fn may_fail(&mut self, arguments: usize) {
        self.failure = self.failure.max(Some(arguments));
    }

    /// Whether a thread can fail in the code written so far.
    pub(crate) fn is_fallible(&self) -> bool {
        self.failure.is_some()
    }

    /// Adds functions.
    pub(crate) fn function(&mut self, text: &str) {
        self.functions.push_str(text.trim_start_matches('\n'));
        self.functions.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }

    /// Adds functions, unless they are there already.
    pub(crate) fn function_once(&mut self, text: &str) {
        if !self.functions.contains(text.trim()) {
            self.function(text);
        }
    }

    /// Notes the index space of a block segment, given by its sizes.
    pub(crate) fn inner_space(&mut self, sizes: Vec<Operand>) {
        if !self.inner.contains(&sizes) {
            self.inner.push(sizes);
        }
    }

    /// Adds a variable in workgroup memory, unless it is there already.
    pub(crate) fn workgroup_var(&mut self, name: &str, ty: &str, bytes: usize) {
        let declaration = format!("var<workgroup> {name}: {ty};\n");
        if !self.workgroup_vars.contains(&declaration) {
            self.workgroup_bytes += bytes;
            self.workgroup_vars.push_str(&declaration);
        }
    }

    /// Adds an array in workgroup memory, unless it is there already.
    pub(crate) fn workgroup_array(&mut self, name: &str, elem: PrimType, capacity: u32) {
        let bytes = plan::device_bytes(elem) * capacity as usize;
        self.workgroup_var(name, &format!("array<{}, {capacity}>", stored_type(elem)), bytes);
    }

    /// Adds a block in workgroup memory.
    pub(crate) fn workgroup_block(&mut self, block: Var, elem: PrimType, capacity: u32) {
        self.workgroup_array(&self.name(block), elem, capacity);
        self.workgroup_blocks.insert(block, capacity);
    }

    /// The capacity of a block in workgroup memory, in elements; `None` for any other block.
    pub(crate) fn workgroup_capacity(&self, block: Var) -> Option<u32> {
        self.workgroup_blocks.get(&block).copied()
    }

    /// The finished kernel.
    pub(crate) fn finish(self) -> Built {
        let wgsl = self.text();
        let kernel = Kernel {
            workgroup: self.workgroup,
            workgroup_bytes: u32::try_from(self.workgroup_bytes).unwrap_or(u32::MAX),
            worker: self.worker,
            bindings: self.blocks.iter().map(|block| block.binding).collect(),
            params: self.params.iter().map(|param| param.ty).collect(),
            // The validation sets these two.
            needs_i64: false,
            needs_f64: false,
            name: self.name,
            place: None,
            wgsl,
        };
        let blocks = self.blocks.iter().map(|block| block.from).collect();
        let scalars = self.params.iter().map(|param| param.from).collect();
        Built { kernel, blocks, scalars, inner: self.inner }
    }

    fn text(&self) -> String {
        let mut text = String::from("struct Params {\n    launch: u32,\n    first_group: u32,\n");
        for param in &self.params {
            let _ = writeln!(text, "    {}: {},", param.name, stored_type(param.ty));
        }
        text.push_str("}\n\n");
        let _ = writeln!(
            text,
            "@group(0) @binding({}) var<storage, read_write> status: array<atomic<u32>>;",
            plan::STATUS
        );
        let _ = writeln!(text, "@group(0) @binding({}) var<uniform> params: Params;", plan::PARAMS);
        for (number, block) in self.blocks.iter().enumerate() {
            let binding = plan::FIRST_BLOCK as usize + number;
            let access = if block.binding.written { "read_write" } else { "read" };
            let elem = stored_type(block.binding.elem);
            let name = &block.name;
            let _ =
                writeln!(text, "@group(0) @binding({binding}) var<storage, {access}> {name}: array<{elem}>;");
        }
        if !self.workgroup_vars.is_empty() {
            text.push('\n');
            text.push_str(&self.workgroup_vars);
        }
        text.push_str(&code(include_str!("failure/stopped.wgsl")));
        if let Some(arguments) = self.failure {
            match self.worker {
                Worker::Thread => text.push_str(&code(include_str!("failure/thread.wgsl"))),
                Worker::Workgroup => {
                    let _ = writeln!(text, "\nconst ARGUMENTS = {}u;", 2 * arguments.max(1));
                    text.push_str(&code(include_str!("failure/block.wgsl")));
                }
            }
        }
        for helper in self.helpers.texts() {
            text.push('\n');
            text.push_str(helper);
        }
        text.push('\n');
        text.push_str(self.functions.trim_end());
        text.push('\n');
        text
    }
}

/// The text of a file without the comment that it begins with.
pub(crate) fn code(file: &str) -> String {
    file.lines().skip_while(|line| line.starts_with("//")).flat_map(|line| [line, "\n"]).collect()
}
