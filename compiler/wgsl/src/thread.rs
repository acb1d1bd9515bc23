//! Statements of a thread. A private block becomes a local array.

use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{Atom, Space, Stm, Thread, Type, Var};
use ravel_prim::PrimValue;

use crate::function::Function;
use crate::scalar::type_name;
use crate::statement::Code;

impl Code for Thread {
    type State = ();

    const REPORTS: &'static str = "";

    fn own(function: &mut Function<'_, '_, Thread>, stm: &Stm<Thread>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Alloc { block, count } => alloc(function, *block, *count),
            Stm::Load { var, array, indices } => {
                let indices = function.atoms(indices)?;
                let text = function.load(*array, &indices)?;
                function.bind(*var, &text);
                Ok(())
            }
            Stm::Store { array, indices, value } => {
                let indices = function.atoms(indices)?;
                let value = function.atom(*value)?;
                function.store(*array, &indices, &value)
            }
            Stm::Copy { to, from } => copy(function, *to, *from),
            _ => Err(Diagnostic::bug("wgsl: a statement that no thread may hold")),
        }
    }

    fn watch(function: &mut Function<'_, '_, Thread>, when: &str) {
        function.line(&format!("if ({when} && stopped()) {{ break; }}"));
    }

    fn cross(_: &mut Function<'_, '_, Thread>) {}
}

fn alloc(function: &mut Function<'_, '_, Thread>, block: Var, count: Atom) -> Result<(), Diagnostic> {
    match (&function.module.vars[block].ty, count) {
        (Type::Block(ty), Atom::Const(PrimValue::I64(count))) if ty.space == Space::Private => {
            let capacity = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
            function.private_array(block, type_name(ty.elem), capacity);
            Ok(())
        }
        _ => Err(Diagnostic::limitation(Limitation::ThreadArray, function.module.span)),
    }
}

fn copy(function: &mut Function<'_, '_, Thread>, to: Var, from: Var) -> Result<(), Diagnostic> {
    let shape = function.module.view(to)?.shape.clone();
    let counters: Vec<String> = (0..shape.len()).map(|dim| format!("at{dim}_{}_{}", to.0, from.0)).collect();
    for (counter, &size) in counters.iter().zip(&shape) {
        let size = function.atom(size)?;
        function
            .line(&format!("for (var {counter} = 0li; {counter} < {size}; {counter} = {counter} + 1li) {{"));
        function.indent += 1;
    }
    let value = function.load(from, &counters)?;
    function.store(to, &counters, &value)?;
    for _ in &counters {
        function.indent -= 1;
        function.line("}");
    }
    Ok(())
}
