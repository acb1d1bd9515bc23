//! Functions and calls.
//!
//! A function takes the context, the stack limit, the number of calls that may nest, the flat index of the current point,
//! the address for its results, and its arguments. If an argument is a memory block, the function borrows it.
//! Every function has a number: a call looks up the address of the function by this number in a table of the
//! context. The table has the host functions first, then the thread functions.

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Function, InstBuilder, Type as ClifType, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_base::Symbol;
use ravel_kernel::{self as ir, Argument, MessageId, Program, Type, Var};

use crate::control::EmitLevel;
use crate::emitter::{BlobParts, Emitter, TRUSTED, clif_type};
use crate::stack;

/// Emits a function.
pub(crate) fn emit<'p, L: EmitLevel>(
    program: &'p Program,
    source: &'p ir::Function<L>,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shared: &mut BlobParts<'p>,
) {
    let params = source.params.iter().map(|param| match &source.vars[param.var].ty {
        Type::Scalar(ty) => clif_type(*ty),
        _ => I64,
    });
    let types: Vec<ClifType> = [I64; 2].into_iter().chain(params).collect();
    let (mut emitter, params) =
        Emitter::begin(function, builder_context, isa, program, &source.vars, &types, shared);
    emitter.on_stack = stack::blocks(&source.body, &source.vars, emitter.shared.target);
    emitter.point = params[0];
    emitter.check_stack();
    for (param, &value) in source.params.iter().zip(&params[2..]) {
        emitter.bind(param.var, value);
    }
    let values = emitter.body(&source.body);
    emitter.store_results(&values, params[1]);
    emitter.finish(isa);
}

impl Emitter<'_, '_> {
    /// Calls a function of the level `L` (host or thread) and binds its results.
    pub fn call_statement<L: EmitLevel>(
        &mut self,
        binders: &[Var],
        function: Symbol,
        args: &[Argument],
        site: Option<MessageId>,
    ) {
        let position = L::functions(self.program).iter().position(|candidate| candidate.name == function);
        let number = L::first_number(self.program) + position.expect("verified: a function of the program");
        let args: Vec<Value> = args.iter().map(|arg| self.atom(arg.value)).collect();
        let results = self.stack_space(binders.len());
        self.call_function(number, results, &args, site);
        for (word, &binder) in binders.iter().enumerate() {
            let ty = self.var_type(binder);
            let value = self.builder.ins().load(ty, TRUSTED, results, 8 * word as i32);
            self.bind(binder, value);
        }
    }
}
