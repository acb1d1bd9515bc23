//! The host functions of entry points.

use cranelift_codegen::ir::Function;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_kernel::{Entry, Program};

use crate::emitter::{BlobParts, Emitter};

/// Emits the host function of an entry point.
pub(crate) fn emit<'p>(
    program: &'p Program,
    entry: &'p Entry,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shared: &mut BlobParts<'p>,
) {
    let types = [I64; 2];
    let (mut emitter, words) =
        Emitter::begin(function, builder_context, isa, program, &entry.vars, &types, shared);
    let (args, results) = (words[0], words[1]);
    let params = entry.params.iter().map(|param| param.var);
    for (number, var) in entry.sizes.iter().copied().chain(params).enumerate() {
        let value = emitter.load_word(emitter.var_type(var), args, number);
        emitter.bind(var, value);
    }
    let values = emitter.body(&entry.body);
    emitter.store_results(&values, results);
    emitter.finish(isa);
}
