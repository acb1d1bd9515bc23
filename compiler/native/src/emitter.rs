//! The function under construction: the values of its variables, and calls to the services of its context.
//!
//! Kernel IR binds every variable once, and its joins are explicit. So each variable is one Cranelift value, and the
//! variables of Cranelift's frontend are not needed. A bool is an `i8` of 0 or 1.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, Inst, InstBuilder, MemFlagsData, Signature, StackSlot,
    StackSlotData, StackSlotKind, Type as ClifType, Value,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use ravel_abi::native::{BLOCK_ALIGNMENT, Context, FAILED, OK, Parameter};
use ravel_base::{CallPath, IdMap, Span, Symbol};
use ravel_kernel::{
    Atom, Distinct, LaneChoice, MemorySites, MessageId, Program, Target, Trace, Type, Var, VarTable,
    Versions, View,
};
use ravel_prim::{PrimType, PrimValue};

use crate::Settings;
use crate::blob::Generated;
use crate::lanes::{LaneMemory, Switches, Vectors};
use crate::segment::OutlinedFunction;

/// The flags of an access that does not trap and is aligned to its size.
pub(crate) const TRUSTED: MemFlagsData = MemFlagsData::trusted();
/// The flags of a load from memory that does not change while the function runs.
pub(crate) const CONSTANT: MemFlagsData = MemFlagsData::trusted().with_readonly().with_can_move();

/// The Cranelift type that holds a scalar.
pub(crate) fn clif_type(ty: PrimType) -> ClifType {
    match ty {
        PrimType::I8 | PrimType::U8 | PrimType::Bool => I8,
        PrimType::I16 | PrimType::U16 | PrimType::F16 => I16,
        PrimType::I32 | PrimType::U32 => I32,
        PrimType::I64 | PrimType::U64 => I64,
        PrimType::F32 => F32,
        PrimType::F64 => F64,
    }
}

/// The parts of a blob that its functions build together.
pub(crate) struct BlobParts<'p> {
    /// The places at which the program needs memory.
    pub memory_sites: &'p MemorySites,
    /// The description of the CPU. Its vectors are those that this machine has.
    pub target: &'p Target,
    /// How they are compiled.
    pub settings: Settings,
    /// Which blocks are different memory in the entry point or function to which the code belongs; `None` if its loops run
    /// one iteration after the other.
    pub distinct: Option<&'p Distinct>,
    /// Whether long reductions by loops combine in strands. This must not depend on the size of vectors. So it holds for
    /// segments whose points have no vector form.
    pub in_strands: bool,
    /// The tuning parameters that switch lanes off in the entry point under construction.
    pub switches: Option<Switches<'p>>,
    /// What the segment to which the code belongs says about lanes.
    pub attribute: Option<LaneChoice>,
    /// The segment functions requested so far.
    pub outlined: Vec<OutlinedFunction<'p>>,
    /// The functions so far.
    pub generated: Generated<'p>,
    /// The blocks of constants, which lie at the start of the blob's code.
    pub data: Vec<u8>,
    /// The traces so far.
    pub traces: Vec<&'p Trace>,
    /// The versions so far, with their places.
    pub versions: Vec<(Versions, Option<Span>)>,
}

impl<'p> BlobParts<'p> {
    /// Nothing so far.
    pub fn new(memory_sites: &'p MemorySites, target: &'p Target, generated: Generated<'p>) -> Self {
        BlobParts {
            memory_sites,
            target,
            settings: Settings::default(),
            distinct: None,
            in_strands: false,
            switches: None,
            attribute: None,
            outlined: Vec::new(),
            generated,
            data: Vec::new(),
            traces: Vec::new(),
            versions: Vec::new(),
        }
    }

    /// The vectors in which strips may run.
    pub fn vectors(&self) -> Vectors {
        Vectors { bits: self.target.vector_bits, settings: self.settings }
    }

    /// Adds a block of constants. Returns its offset in the blob.
    fn constants(&mut self, values: &[PrimValue]) -> usize {
        self.data.resize(self.data.len().next_multiple_of(BLOCK_ALIGNMENT), 0);
        let start = self.data.len();
        for value in values {
            self.data.extend_from_slice(&value.bits().to_le_bytes()[..value.ty().bytes()]);
        }
        start
    }
}

/// Emits one function.
pub(crate) struct Emitter<'p, 'f> {
    /// Cranelift's builder.
    pub builder: FunctionBuilder<'f>,
    /// The variables of the function.
    pub vars: &'p VarTable,
    /// The program.
    pub program: &'p Program,
    /// The shared parts of the blob.
    pub shared: &'f mut BlobParts<'p>,
    /// The blocks that lie on the stack.
    pub on_stack: BTreeSet<Var>,
    /// For each workgroup block that a worker allocates only once, the stack address at which its address is kept.
    pub kept: BTreeMap<Var, Value>,
    /// The memory for the arrays of lanes.
    pub lane_memory: LaneMemory,
    /// The place of the current statement, and the inlined calls that lead there.
    pub path: Option<CallPath>,
    /// The flat index of the current point; 0 at host level.
    pub point: Value,
    values: IdMap<Var, Option<Value>>,
    /// The sizes of the arrays in scope, which are not negative.
    sizes: BTreeSet<Value>,
    /// The sizes in the order in which they came into scope.
    size_order: Vec<Value>,
    /// The context, which every function receives.
    pub context: Value,
    /// The lowest address that the stack may reach.
    pub stack_limit: Value,
    /// The number of calls that may still nest.
    pub calls: Value,
    call_conv: CallConv,
    scratch: BTreeMap<usize, StackSlot>,
    /// The entry block of the function, and the first block of its body.
    beginning: (Block, Block),
    /// The exit block for failures and stops (`exit`), if something jumps to it.
    pub out: Option<Block>,
    /// Whether the exit block reports call sites to the runtime, for the backtrace.
    pub passes_calls: bool,
}

impl<'p, 'f> Emitter<'p, 'f> {
    /// Begins a function that takes the context, the stack limit, the number of calls that may nest and `params`, and returns
    /// a status. Also returns the values of `params`.
    pub fn begin(
        function: &'f mut Function,
        builder_context: &'f mut FunctionBuilderContext,
        isa: &dyn TargetIsa,
        program: &'p Program,
        vars: &'p VarTable,
        params: &[ClifType],
        shared: &'f mut BlobParts<'p>,
    ) -> (Self, Vec<Value>) {
        let call_conv = isa.default_call_conv();
        function.signature = signature(call_conv, &[&[I64; 3], params].concat(), Some(I32));
        let mut builder = FunctionBuilder::new(function, builder_context);
        let (start, body) = (builder.create_block(), builder.create_block());
        builder.append_block_params_for_function_params(start);
        builder.func.layout.append_block(start);
        builder.switch_to_block(body);
        let start_params = builder.block_params(start).to_vec();
        let mut values = IdMap::new();
        for _ in vars.keys() {
            values.push(None);
        }
        let point = builder.ins().iconst(I64, 0);
        let scratch = BTreeMap::new();
        let (context, stack_limit, calls) = (start_params[0], start_params[1], start_params[2]);
        let emitter = Emitter {
            builder,
            vars,
            program,
            shared,
            on_stack: BTreeSet::new(),
            kept: BTreeMap::new(),
            lane_memory: LaneMemory::default(),
            path: None,
            point,
            values,
            sizes: BTreeSet::new(),
            size_order: Vec::new(),
            context,
            stack_limit,
            calls,
            call_conv,
            scratch,
            beginning: (start, body),
            out: None,
            passes_calls: false,
        };
        (emitter, start_params[3..].to_vec())
    }

    /// Ends the function with the status `OK`.
    pub fn finish(mut self, isa: &dyn TargetIsa) {
        let ok = self.builder.ins().iconst(I32, i64::from(OK));
        self.builder.ins().return_(&[ok]);
        let (start, body) = self.beginning;
        self.join(start, body);
        self.builder.seal_all_blocks();
        self.builder.finalize(isa.frontend_config());
    }

    /// Binds a variable.
    pub fn bind(&mut self, var: Var, value: Value) {
        self.values[var] = Some(value);
    }

    /// The value of a variable. The verifier has checked that it is bound before its use.
    pub fn value(&self, var: Var) -> Value {
        self.values[var].expect("verified: bound before its use")
    }

    /// Brings an array into scope.
    pub fn enter_array(&mut self, array: Var) {
        for &size in &self.view(array).shape {
            let Some(size) = size.var().and_then(|size| self.known(size)) else { continue };
            if self.sizes.insert(size) {
                self.size_order.push(size);
            }
        }
    }

    /// Whether a value is the size of an array in scope, so that it is not negative.
    pub fn is_size(&self, value: Value) -> bool {
        self.sizes.contains(&value)
    }

    /// Emits code in a scope of its own: the arrays that come into scope there go out of scope at its end.
    pub fn in_scope<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.size_order.len();
        let emitted = emit(self);
        for size in self.size_order.drain(outside..) {
            self.sizes.remove(&size);
        }
        emitted
    }

    /// The value of a variable, if it is bound so far.
    pub fn known(&self, var: Var) -> Option<Value> {
        self.values[var]
    }

    /// The value of an atom.
    pub fn atom(&mut self, atom: Atom) -> Value {
        match atom {
            Atom::Var(var) => self.value(var),
            Atom::Const(constant) => self.constant(constant),
        }
    }

    /// The values of atoms.
    pub fn atoms(&mut self, atoms: &[Atom]) -> Vec<Value> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// A constant scalar.
    pub fn constant(&mut self, constant: PrimValue) -> Value {
        match constant {
            PrimValue::F32(x) => self.builder.ins().f32const(x),
            PrimValue::F64(x) => self.builder.ins().f64const(x),
            _ => self.word(clif_type(constant.ty()), constant.bits()),
        }
    }

    /// The constant integer of type `ty` with these bits.
    pub fn word(&mut self, ty: ClifType, bits: u64) -> Value {
        let unused = 64 - ty.bits();
        self.builder.ins().iconst(ty, ((bits << unused) as i64) >> unused)
    }

    /// A constant i64.
    pub fn index(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(I64, value)
    }

    /// The type of a scalar atom.
    pub fn scalar_type(&self, atom: Atom) -> PrimType {
        match atom {
            Atom::Const(constant) => constant.ty(),
            Atom::Var(var) => match &self.vars[var].ty {
                Type::Scalar(ty) => *ty,
                _ => unreachable!("verified: a scalar"),
            },
        }
    }

    /// The Cranelift type of a scalar or a block.
    pub fn var_type(&self, var: Var) -> ClifType {
        match &self.vars[var].ty {
            Type::Scalar(ty) => clif_type(*ty),
            _ => I64,
        }
    }

    /// True if the variable holds a block.
    pub fn is_block(&self, var: Var) -> bool {
        matches!(self.vars[var].ty, Type::Block(_))
    }

    /// The view that an array variable names.
    pub fn view(&self, array: Var) -> &'p View {
        match &self.vars[array].ty {
            Type::Array(view) => view,
            _ => unreachable!("verified: an array"),
        }
    }

    /// Calls the service that shows the values of a trace.
    pub fn trace(&mut self, trace: &'p Trace, args: &[Atom]) {
        let words: Vec<Value> = args.iter().map(|&arg| self.atom_word(arg)).collect();
        let words = self.spill(&words);
        let number = self.builder.ins().iconst(I32, self.shared.traces.len() as i64);
        self.shared.traces.push(trace);
        self.call_service(offset_of!(Context, trace), &[self.context, number, words], None);
    }

    /// Calls the service that counts which of two versions runs.
    pub fn choose(&mut self, versions: Versions, cond: Atom) {
        let cond = self.atom_word(cond);
        let number = self.builder.ins().iconst(I32, self.shared.versions.len() as i64);
        self.shared.versions.push((versions, self.path.map(CallPath::span)));
        self.call_service(offset_of!(Context, choose), &[self.context, number, cond], None);
    }

    /// Runs a segment function over the chunks of `0..points`. Leaves the function if a chunk fails or stops.
    pub fn fork(&mut self, function: OutlinedFunction<'p>, environment: Value, points: Value, chunk: Value) {
        let number = self.builder.ins().iconst(I32, self.shared.outlined.len() as i64);
        self.shared.outlined.push(function);
        let args = [self.context, number, environment, points, chunk, self.calls];
        let status = self.call(offset_of!(Context, fork), &args, I32);
        self.leave_with(status, None);
    }

    /// Allocates a block. Leaves the function if the allocation fails.
    pub fn allocate(&mut self, count: Value, bytes: usize) -> Value {
        let bytes = self.index(bytes as i64);
        let args = [self.context, count, bytes, self.point];
        let block = self.call(offset_of!(Context, allocate), &args, I64);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, block, 0);
        self.leave_at(none, FAILED, self.shared.memory_sites.number(self.path));
        block
    }

    /// The address of `bytes` bytes in the function's frame. It is the same in every iteration of a loop.
    pub fn on_stack(&mut self, bytes: u32) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.builder.create_sized_stack_slot(data);
        self.builder.ins().stack_addr(I64, slot, 0)
    }

    /// Adds constants to the blob. Returns the value of their address.
    pub fn place(&mut self, values: &[PrimValue]) -> Value {
        let start = self.shared.constants(values);
        let code = self.context_word(offset_of!(Context, code));
        self.builder.ins().iadd_imm_s(code, start as i64)
    }

    /// Adds a reference to a block.
    pub fn retain(&mut self, block: Value) {
        self.call_service(offset_of!(Context, retain), &[self.context, block], None);
    }

    /// Releases a reference to a block.
    pub fn release(&mut self, block: Value) {
        self.call_service(offset_of!(Context, release), &[self.context, block], None);
    }

    /// The word at `offset` in the context, which never changes.
    pub fn context_word(&mut self, offset: usize) -> Value {
        self.builder.ins().load(I64, CONSTANT, self.context, offset as i32)
    }

    /// The value of a tuning parameter, or `default` if it is not set.
    pub fn parameter(&mut self, name: Symbol, default: i64) -> Value {
        let number = self.program.parameters().iter().position(|&known| known == name);
        let number = number.expect("a program lists the parameters that its code reads");
        let parameters = self.context_word(offset_of!(Context, parameters));
        let mut word = |offset: usize| {
            let offset = number * size_of::<Parameter>() + offset;
            self.builder.ins().load(I64, CONSTANT, parameters, offset as i32)
        };
        let (is_set, value) = (word(offset_of!(Parameter, is_set)), word(offset_of!(Parameter, value)));
        let default = self.builder.ins().iconst(I64, default);
        self.builder.ins().select(is_set, value, default)
    }

    /// Calls the service whose address is at `offset` in the context. Returns its result, which has type `result`.
    pub fn call(&mut self, offset: usize, args: &[Value], result: ClifType) -> Value {
        let call = self.call_service(offset, args, Some(result));
        self.builder.inst_results(call)[0]
    }

    /// Calls the service whose address is at `offset` in the context.
    pub fn call_service(&mut self, offset: usize, args: &[Value], result: Option<ClifType>) -> Inst {
        let service = self.builder.ins().load(I64, CONSTANT, self.context, offset as i32);
        self.call_address(service, args, result)
    }

    /// Calls strip function `address`. Returns the counter of the first point that did not run.
    pub fn call_strip(&mut self, address: Value, args: &[Value]) -> Value {
        let types: Vec<ClifType> = args.iter().map(|&arg| self.builder.func.dfg.value_type(arg)).collect();
        let signature = signature(CallConv::SystemV, &types, Some(I64));
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, address, args);
        self.builder.inst_results(call)[0]
    }

    fn call_address(&mut self, address: Value, args: &[Value], result: Option<ClifType>) -> Inst {
        let types: Vec<ClifType> = args.iter().map(|&arg| self.builder.func.dfg.value_type(arg)).collect();
        let signature = self.builder.import_signature(signature(self.call_conv, &types, result));
        self.builder.ins().call_indirect(signature, address, args)
    }

    /// Calls function number `number` of the program, which stores its results as words at `results`. Leaves this
    /// function if the callee fails or stops.
    pub fn call_function(&mut self, number: usize, results: Value, args: &[Value], site: Option<MessageId>) {
        let table = offset_of!(Context, functions) as i32;
        let table = self.builder.ins().load(I64, CONSTANT, self.context, table);
        let address = self.load_word(I64, table, number);
        let path = site.and_then(|site| self.program.messages[site].path);
        let left = self.builder.ins().iadd_imm_s(self.calls, -path.map_or(1, CallPath::calls));
        let all_args = [&[self.context, self.stack_limit, left, self.point, results], args].concat();
        let call = self.call_address(address, &all_args, Some(I32));
        let status = self.builder.inst_results(call)[0];
        self.leave_with(status, site);
    }

    /// The address of space for `words` words on the stack. A later call of this method may reuse the space.
    pub fn stack_space(&mut self, words: usize) -> Value {
        let builder = &mut self.builder;
        let slot = *self.scratch.entry(words).or_insert_with(|| {
            let bytes = 8 * words as u32;
            builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3))
        });
        self.builder.ins().stack_addr(I64, slot, 0)
    }

    /// Stores words on the stack and returns their address. A later call of this method may overwrite them.
    pub fn spill(&mut self, words: &[Value]) -> Value {
        let address = self.stack_space(words.len());
        for (number, &word) in words.iter().enumerate() {
            self.builder.ins().store(TRUSTED, word, address, 8 * number as i32);
        }
        address
    }

    /// The representation of an atom, zero-extended to 64 bits.
    pub fn atom_word(&mut self, atom: Atom) -> Value {
        let value = self.atom(atom);
        self.word_of(value)
    }

    /// The representation of a value, zero-extended to 64 bits.
    pub fn word_of(&mut self, value: Value) -> Value {
        match self.builder.func.dfg.value_type(value) {
            F64 => self.builder.ins().bitcast(I64, MemFlagsData::new(), value),
            F32 => {
                let bits = self.builder.ins().bitcast(I32, MemFlagsData::new(), value);
                self.builder.ins().uextend(I64, bits)
            }
            I64 => value,
            _ => self.builder.ins().uextend(I64, value),
        }
    }

    /// Loads word `number` of `words` as a value of type `ty`. The memory must not change while the function runs.
    pub fn load_word(&mut self, ty: ClifType, words: Value, number: usize) -> Value {
        self.builder.ins().load(ty, CONSTANT, words, 8 * number as i32)
    }

    /// Stores the results of a function as words at `address`.
    pub fn store_results(&mut self, results: &[Value], address: Value) {
        for (number, &value) in results.iter().enumerate() {
            let word = self.word_of(value);
            self.builder.ins().store(TRUSTED, word, address, 8 * number as i32);
        }
    }

    /// The types of values.
    pub fn types_of(&self, values: &[Value]) -> Vec<ClifType> {
        values.iter().map(|&value| self.builder.func.dfg.value_type(value)).collect()
    }

    /// A basic block with parameters of these types, and the parameters.
    pub fn block(&mut self, types: &[ClifType]) -> (Block, Vec<Value>) {
        let block = self.builder.create_block();
        let params = types.iter().map(|&ty| self.builder.append_block_param(block, ty)).collect();
        (block, params)
    }

    /// Ends the current basic block with a jump.
    pub fn jump(&mut self, to: Block, args: &[Value]) {
        self.builder.ins().jump(to, &block_args(args));
    }

    /// Ends the current basic block with a conditional jump.
    pub fn branch(&mut self, cond: Value, then: (Block, &[Value]), otherwise: (Block, &[Value])) {
        let (yes, no) = (block_args(then.1), block_args(otherwise.1));
        self.builder.ins().brif(cond, then.0, &yes, otherwise.0, &no);
    }
}

fn block_args(values: &[Value]) -> Vec<BlockArg> {
    values.iter().map(|&value| BlockArg::Value(value)).collect()
}

fn signature(call_conv: CallConv, params: &[ClifType], result: Option<ClifType>) -> Signature {
    let mut signature = Signature::new(call_conv);
    signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
    signature.returns.extend(result.map(AbiParam::new));
    signature
}
