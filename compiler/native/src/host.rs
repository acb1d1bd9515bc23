//! Entry points: the host function and its signature.

use cranelift_codegen::ir::Function;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_abi::{Dim, ParamType, ResultType, Signature};
use ravel_kernel::{Atom, Entry, Program, Type, Var, VarTable};
use ravel_prim::PrimType;

use crate::emitter::{Emitter, Shared};

/// Makes the host function of an entry point.
pub(crate) fn emit<'p>(
    program: &'p Program,
    entry: &'p Entry,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
    shared: &mut Shared<'p>,
) {
    let types = [I64; 2];
    let (mut emitter, given) =
        Emitter::begin(function, builder_context, isa, program, &entry.vars, &types, shared);
    let (args, results) = (given[0], given[1]);
    let params = entry.params.iter().map(|param| param.var);
    for (number, var) in entry.sizes.iter().copied().chain(params).enumerate() {
        let value = emitter.load_word(emitter.var_type(var), args, number);
        emitter.bind(var, value);
    }
    let values = emitter.body(&entry.body);
    emitter.store_results(&values, results);
    emitter.finish(isa);
}

/// What an entry point takes and gives, and the tuning parameters on which it depends.
pub(crate) fn signature(entry: &Entry, parameters: Vec<String>) -> Signature {
    let dim = |size: &Atom| match size {
        Atom::Var(var) => Dim::Size(entry.sizes.iter().position(|size| size == var).unwrap_or(0)),
        Atom::Const(size) => Dim::Const(size.as_i64().unwrap_or(0)),
    };
    Signature {
        name: entry.name.to_string(),
        sizes: entry.sizes.len(),
        params: entry
            .params
            .iter()
            .map(|param| ParamType {
                name: param.name.as_ref().map(ToString::to_string),
                elem: elem(&entry.vars, param.var),
                dims: param.shape.iter().map(dim).collect(),
                consumed: param.consumed,
                constructors: param.constructors,
            })
            .collect(),
        results: entry
            .results
            .iter()
            .map(|result| ResultType { elem: result.elem, rank: result.rank })
            .collect(),
        parameters,
    }
}

fn elem(vars: &VarTable, var: Var) -> PrimType {
    match &vars[var].ty {
        Type::Scalar(elem) => *elem,
        Type::Block(block) => block.elem,
        Type::Array(view) => view.elem,
    }
}
