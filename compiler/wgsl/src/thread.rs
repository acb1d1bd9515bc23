//! Statements of a thread. A private block becomes a local array.

use ravel_base::{Diagnostic, Limitation};
use ravel_kernel::{Atom, Space, Stm, Thread, Type, Var};
use ravel_prim::{PrimType, PrimValue};

use crate::function::Function;
use crate::shader::{self, Block, Exp, Name};
use crate::statement::{Code, stopped};

impl Code for Thread {
    type State = ();

    fn fail(body: &mut Block, fails: Exp, reports: Block) {
        match reports.stms[..] {
            [] => body.run(fails),
            _ => body.branch(fails, reports, Block::default()),
        }
    }

    fn level_specific(function: &mut Function<'_, '_, Thread>, stm: &Stm<Thread>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Alloc { block, count } => alloc(function, *block, *count),
            Stm::Load { var, array, indices } => {
                let indices = function.atoms(indices)?;
                let element = function.load(*array, &indices)?;
                function.bind(*var, element);
                Ok(())
            }
            Stm::Store { array, indices, value } => {
                let indices = function.atoms(indices)?;
                let value = function.atom(*value)?;
                function.store(*array, &indices, value)
            }
            Stm::Combine { array, indices, op, value } => {
                let indices = function.atoms(indices)?;
                let value = function.atom(*value)?;
                function.combine(*array, &indices, *op, value)
            }
            Stm::Copy { to, from } => copy(function, *to, *from),
            _ => Err(Diagnostic::bug("wgsl: a statement that no thread may hold")),
        }
    }

    fn watch(when: Exp) -> Block {
        Block::new(|body| body.when(when.and(stopped()), Block::leave_loop))
    }

    fn record_control_flow(_: &mut Function<'_, '_, Thread>) {}
}

fn alloc(function: &mut Function<'_, '_, Thread>, block: Var, count: Atom) -> Result<(), Diagnostic> {
    match (&function.kernel.vars[block].ty, count) {
        (Type::Block(ty), Atom::Const(PrimValue::I64(count))) if ty.space == Space::Private => {
            let capacity = u32::try_from(count.max(1))
                .map_err(|_| Diagnostic::bug("wgsl: more private memory than a target has"))?;
            function.private_array(block, ty.elem, capacity);
            Ok(())
        }
        _ => Err(Diagnostic::limitation(Limitation::ThreadArray, function.kernel.span)),
    }
}

/// Copies an array by nested loops, one for each dimension.
fn copy(function: &mut Function<'_, '_, Thread>, to: Var, from: Var) -> Result<(), Diagnostic> {
    let shape = &function.kernel.view(to)?.shape;
    let counters: Vec<Name> = shape.iter().map(|_| function.kernel.fresh("at")).collect();
    let indices: Vec<Exp> =
        counters.iter().map(|&counter| Exp::name(counter, shader::Type::Scalar(PrimType::I64))).collect();
    let (mut body, ()) = function.nested(|function| {
        let value = function.load(from, &indices)?;
        function.store(to, &indices, value)
    })?;
    let [zero, one] = [false, true].map(|bit| Exp::bit(PrimType::I64, bit));
    for (&counter, &size) in counters.iter().zip(shape).rev() {
        let size = function.atom(size)?;
        body = Block::new(|outer| {
            outer.count(counter, zero.clone(), |at| at.lt(size), |at| at + &one, |inner, _| *inner = body);
        });
    }
    function.body.append(body);
    Ok(())
}
