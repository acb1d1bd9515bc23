//! A kernel under construction. It collects what its module declares while the functions are built.

use std::collections::BTreeMap;

use ravel_abi::plan::{self, Operand, Slot, Worker};
use ravel_base::{Diagnostic, Span};
use ravel_kernel::{Atom, Type, Var, VarTable, View};
use ravel_prim::PrimType;

use crate::scalar::{from_stored, stored};
use crate::shader::{self, Binding, Block, Exp, Function, Item, Module, Name, Needs};

/// A kernel under construction.
///
/// At its first use, a scalar of the host becomes a member of `params`, and a block becomes a binding.
pub(crate) struct Kernel<'a> {
    /// The variables of the entry point.
    pub vars: &'a VarTable,
    /// The source location for diagnostics.
    pub span: Option<Span>,
    name: String,
    worker: Worker,
    module: Module,
    /// For each parameter of the module, its type and the scalar of the host.
    params: Vec<(PrimType, Operand)>,
    /// For each binding of the module, the type of its elements and the block of the host.
    blocks: Vec<(PrimType, Slot)>,
    workgroup_bytes: usize,
    /// The blocks in workgroup memory.
    workgroup_blocks: BTreeMap<Var, Exp>,
    /// The sizes of the index spaces of inner segments of the kernel.
    inner: Vec<Vec<Operand>>,
    /// If a thread can fail, the number of arguments of the longest message.
    failure: Option<usize>,
    /// The number of new variables so far.
    fresh: u32,
}

/// A finished kernel, with the blocks and scalars that a launch binds to it.
pub(crate) struct FinishedKernel {
    /// The kernel.
    pub kernel: plan::Kernel,
    /// The blocks for its bindings, in order.
    pub blocks: Vec<Slot>,
    /// The scalars for its parameters, in order.
    pub scalars: Vec<Operand>,
    /// The sizes of the index spaces of inner segments of the kernel.
    pub inner: Vec<Vec<Operand>>,
}

impl<'a> Kernel<'a> {
    /// A kernel with an empty module. `workgroup` is the number of threads of a workgroup. `worker` says whether a thread
    /// or a workgroup runs each chunk of points.
    pub(crate) fn new(
        vars: &'a VarTable,
        span: Option<Span>,
        name: String,
        workgroup: u32,
        worker: Worker,
    ) -> Kernel<'a> {
        Kernel {
            vars,
            span,
            name,
            worker,
            module: Module { workgroup, ..Module::default() },
            params: Vec::new(),
            blocks: Vec::new(),
            workgroup_bytes: 0,
            workgroup_blocks: BTreeMap::new(),
            inner: Vec::new(),
            failure: None,
            fresh: 0,
        }
    }

    /// The number of threads of a workgroup.
    pub(crate) fn workgroup(&self) -> u32 {
        self.module.workgroup
    }

    /// The name of a variable of the program.
    pub(crate) fn name(&self, var: Var) -> Name {
        Name::Variable(self.vars[var].hint.map_or("v", |hint| hint.as_str()), var.0)
    }

    /// The name of a new variable.
    pub(crate) fn fresh(&mut self, hint: &'static str) -> Name {
        self.fresh += 1;
        Name::Variable(hint, self.vars.len() as u32 + self.fresh - 1)
    }

    /// A name for a function or type: the word, with a number unless it is the first with this word.
    fn unique(&self, word: &'static str) -> Name {
        let same = |item: &&Item| match item.name() {
            Name::Word(other) | Name::Numbered(other, _) => other == word,
            Name::Variable(..) => false,
        };
        match self.module.items.iter().filter(same).count() {
            0 => Name::Word(word),
            others => Name::Numbered(word, others as u32 + 1),
        }
    }

    /// The type of a scalar.
    pub(crate) fn scalar_type(&self, atom: Atom) -> Result<PrimType, Diagnostic> {
        match atom {
            Atom::Const(value) => Ok(value.ty()),
            Atom::Var(var) => match self.vars[var].ty {
                Type::Scalar(ty) => Ok(ty),
                _ => Err(Diagnostic::bug(format!("wgsl: {} is not a scalar", self.name(var)))),
            },
        }
    }

    /// The view of an array.
    pub(crate) fn view(&self, array: Var) -> Result<&'a View, Diagnostic> {
        match &self.vars[array].ty {
            Type::Array(view) => Ok(view),
            _ => Err(Diagnostic::bug(format!("wgsl: {} is not an array", self.name(array)))),
        }
    }

    /// A scalar of the host as an expression.
    pub(crate) fn param(&mut self, name: impl Into<Name>, ty: PrimType, from: Operand) -> Exp {
        let (name, member) = (name.into(), shader::Type::stored(ty));
        if self.module.params.iter().all(|&(known, _)| known != name) {
            self.module.params.push((name, member));
            self.params.push((ty, from));
        }
        let params = Exp::name("params", shader::Type::Struct("Params".into()));
        from_stored(ty, params.member(name, member))
    }

    /// A scalar variable of the host as an expression.
    pub(crate) fn host_scalar(&mut self, var: Var) -> Result<Exp, Diagnostic> {
        let ty = self.scalar_type(Atom::Var(var))?;
        Ok(self.param(self.name(var), ty, Operand::Slot(Slot(var.0))))
    }

    /// A block of device memory that the kernel reads, and also writes if `written`.
    pub(crate) fn block(&mut self, name: Name, elem: PrimType, from: Slot, written: bool) -> Exp {
        let at = match self.blocks.iter().position(|&(_, known)| known == from) {
            Some(at) => at,
            None => {
                self.blocks.push((elem, from));
                let ty = shader::Type::array(elem, None);
                self.module.bindings.push(Binding { name, ty, written: false });
                self.blocks.len() - 1
            }
        };
        let binding = &mut self.module.bindings[at];
        binding.written |= written;
        Exp::name(binding.name, binding.ty)
    }

    /// Records that a thread can fail with a message of this number of arguments.
    pub(crate) fn may_fail(&mut self, arguments: usize) {
        self.failure = self.failure.max(Some(arguments));
    }

    /// Whether a thread can fail in the code built so far.
    pub(crate) fn is_fallible(&self) -> bool {
        self.failure.is_some()
    }

    /// Adds a struct with these members, called `v0`, `v1` and so on.
    pub(crate) fn structure(&mut self, word: &'static str, members: &[shader::Type]) -> shader::Type {
        let name = self.unique(word);
        let members = (0..).zip(members).map(|(at, &ty)| (Name::Numbered("v", at), ty)).collect();
        self.module.items.push(Item::Struct(name, members));
        shader::Type::Struct(name)
    }

    /// Adds a function; returns its name, which begins with the word.
    pub(crate) fn function(
        &mut self,
        word: &'static str,
        params: Vec<(Name, shader::Type)>,
        result: shader::Type,
        body: Block,
    ) -> Name {
        let name = self.unique(word);
        self.module.items.push(Item::Function(Function { name, params, result, body }));
        name
    }

    /// Builds the body of the entry point.
    pub(crate) fn main(&mut self, build: impl FnOnce(&mut Block)) {
        self.module.main = Block::new(build);
    }

    /// Records the index space of an inner segment, given by its sizes.
    pub(crate) fn inner_space(&mut self, sizes: Vec<Operand>) {
        if !self.inner.contains(&sizes) {
            self.inner.push(sizes);
        }
    }

    /// Adds a variable in workgroup memory, unless it is there already.
    pub(crate) fn workgroup_var(&mut self, name: impl Into<Name>, ty: shader::Type, bytes: usize) -> Exp {
        let name = name.into();
        if !self.module.workgroup_vars.contains(&(name, ty)) {
            self.workgroup_bytes += bytes;
            self.module.workgroup_vars.push((name, ty));
        }
        Exp::name(name, ty)
    }

    /// Adds an array in workgroup memory, unless it is there already.
    pub(crate) fn workgroup_array(&mut self, name: Name, elem: PrimType, capacity: u32) -> Exp {
        let bytes = plan::device_bytes(elem) * capacity as usize;
        self.workgroup_var(name, shader::Type::array(elem, Some(capacity)), bytes)
    }

    /// Adds an array in workgroup memory for the values at position `at` of the structs that a workgroup's threads exchange.
    /// Structs with the same type at the same position share it.
    pub(crate) fn shared_array(&mut self, at: usize, elem: PrimType) -> Exp {
        let word = match stored(elem) {
            PrimType::I32 => "shared_i32_at",
            PrimType::I64 => "shared_i64_at",
            PrimType::U64 => "shared_u64_at",
            PrimType::F32 => "shared_f32_at",
            PrimType::F64 => "shared_f64_at",
            _ => "shared_u32_at",
        };
        self.workgroup_array(Name::Numbered(word, at as u32), elem, self.workgroup())
    }

    /// Adds a block in workgroup memory. Its elements are atomic if threads combine into them: numbers of 64 bits, which
    /// WGSL does not combine, as two words each.
    pub(crate) fn workgroup_block(&mut self, block: Var, elem: PrimType, capacity: u32, is_combined: bool) {
        let name = self.name(block);
        let array = match is_combined {
            true => {
                let bytes = plan::device_bytes(elem) * capacity as usize;
                let ty = match bytes {
                    _ if plan::device_bytes(elem) == 4 => shader::Type::AtomicArray(elem, capacity),
                    bytes => shader::Type::AtomicArray(PrimType::U32, (bytes / 4) as u32),
                };
                self.workgroup_var(name, ty, bytes)
            }
            false => self.workgroup_array(name, elem, capacity),
        };
        self.workgroup_blocks.insert(block, array);
    }

    /// A block in workgroup memory; `None` for any other block.
    pub(crate) fn workgroup_memory(&self, block: Var) -> Option<&Exp> {
        self.workgroup_blocks.get(&block)
    }

    /// The finished kernel.
    pub(crate) fn finish(mut self) -> FinishedKernel {
        self.module.sources.push(code(include_str!("failure/stopped.wgsl")));
        if let Some(arguments) = self.failure {
            self.module.sources.push(match self.worker {
                Worker::Thread => code(include_str!("failure/thread.wgsl")),
                Worker::Workgroup => {
                    let words = Exp::from(2 * arguments.max(1) as u32);
                    self.module.items.insert(0, Item::Constant("ARGUMENTS".into(), words));
                    code(include_str!("failure/block.wgsl"))
                }
            });
        }
        let ((wgsl, needs), with_subgroups) = self.module.print();
        // The runtime chooses the version only by whether the device has subgroups, so this version may need no other
        // additional feature.
        let with_subgroups = with_subgroups.filter(|&(_, with)| with == Needs { subgroups: true, ..needs });
        let written = self.module.bindings.iter().map(|binding| binding.written);
        let kernel = plan::Kernel {
            workgroup: self.module.workgroup,
            // More than u32 holds is more than any device has: the runtime refuses it.
            workgroup_bytes: u32::try_from(self.workgroup_bytes).unwrap_or(u32::MAX),
            worker: self.worker,
            bindings: self
                .blocks
                .iter()
                .zip(written)
                .map(|(&(elem, _), written)| plan::Binding { elem, written })
                .collect(),
            params: self.params.iter().map(|&(ty, _)| ty).collect(),
            needs_i64: needs.i64,
            needs_f64: needs.f64,
            name: self.name,
            place: None,
            wgsl,
            with_subgroups: with_subgroups.map(|(wgsl, _)| wgsl),
        };
        let blocks = self.blocks.iter().map(|&(_, from)| from).collect();
        let scalars = self.params.iter().map(|&(_, from)| from).collect();
        FinishedKernel { kernel, blocks, scalars, inner: self.inner }
    }
}

/// The text of a file without its leading comment.
fn code(file: &str) -> String {
    file.lines()
        .skip_while(|line| line.starts_with("//"))
        .skip_while(|line| line.is_empty())
        .flat_map(|line| [line, "\n"])
        .collect()
}
