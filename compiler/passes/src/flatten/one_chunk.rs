//! Streams that are not spread over the grid: all elements are one chunk, so the stream becomes the function of the chunk.
//!
//! The rules `sequentialise` (in the code of a thread) and `block-level` (in a workgroup) do this. In host code it happens
//! if `stream-chunks` is switched off.
//!
//! ```text
//!   let (ys, r) = stream n { from xs chunk \(m, at, x) -> { S in (y, p) } to map to reduce op (e) }
//!   -----------------------------------------------------------------------------------------------
//!   let (ys, r) = if 0 < n then { S[n/m, 0/at, xs/x] in (y, p) } else { scratch, e }
//! ```
//!
//! If a sink reduces without a neutral element, the function also takes an empty chunk, and there is no branch. An array
//! that may be in the memory of another one is copied, since the results of a stream have memory of their own.

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Program, Stm, Stream, StreamSink, Substitution, Type, Var, VarTable,
};
use ravel_prim::CmpOp;

/// Replaces all streams of a program.
pub(super) fn in_program(program: &mut Program) {
    for Function { vars, body, .. } in &mut program.functions {
        Streams { vars }.body(body);
    }
}

/// Replaces the streams inside a statement.
pub(super) fn inside(vars: &mut VarTable, stm: &mut Stm) {
    Streams { vars }.exp(&mut stm.exp);
}

struct Streams<'a> {
    vars: &'a mut VarTable,
}

impl VisitMut for Streams<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.exp(&mut stm.exp);
            body.stms.extend(one_chunk(self.vars, stm));
        }
    }
}

/// The statements that replace a stream. Any other statement stays.
pub(super) fn one_chunk(vars: &mut VarTable, stm: Stm) -> Vec<Stm> {
    let Stm { binders, exp: Exp::Stream(stream), origin } = stm else { return vec![stm] };
    let has_empty_chunk = stream.has_empty_chunk();
    let Stream { width, sources, chunk, sinks } = *stream;
    let mut body = chunk.body;
    let args = [width, Atom::i64(0)].into_iter().chain(sources.into_iter().map(Atom::Var));
    chunk.params.into_iter().zip(args).collect::<Substitution>().body(vars, &mut body);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin);
    let then = with_own_results(&mut builder, body);
    if has_empty_chunk {
        then.stms.into_iter().for_each(|stm| builder.push(stm));
        for (&binder, result) in binders.iter().zip(then.result) {
            builder.emit(vec![binder], Exp::Atom(result));
        }
    } else {
        let cond = builder.compare(CmpOp::Lt, Atom::i64(0), width);
        let otherwise = without_elements(&mut builder, &binders, &sinks);
        builder.emit(binders, Exp::If { cond, then, otherwise });
    }
    let stms;
    (*vars, stms) = builder.finish();
    stms
}

/// The body, each of whose array results has memory of its own.
fn with_own_results(builder: &mut Builder, Body { stms, result }: Body) -> Body {
    builder.begin();
    let mut results: Vec<Atom> = Vec::new();
    for &value in &result {
        let is_new = |stm: &Stm| makes(&stm.exp) && stm.binders.iter().any(|&var| Atom::Var(var) == value);
        let own = builder.type_of(value).is_scalar()
            || stms.iter().any(is_new) && result.iter().filter(|&&other| other == value).count() == 1;
        results.push(match value {
            Atom::Var(array) if !own => builder.copy(array),
            _ => value,
        });
    }
    let mut body = builder.end(results);
    body.stms.splice(0..0, stms);
    body
}

/// Whether no array of another statement is in the memory of the expression's results.
fn makes(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch
            | Exp::Copy(_)
            | Exp::Concat(_)
            | Exp::ArrayLit(_)
            | Exp::Update { .. }
            | Exp::Screma(_)
    )
}

/// The results of a stream without elements.
fn without_elements(builder: &mut Builder, binders: &[Var], sinks: &[StreamSink]) -> Body {
    builder.begin();
    let mut results = Vec::new();
    let mut types = binders.iter().map(|&binder| builder.vars()[binder].ty.clone()).collect::<Vec<Type>>();
    for sink in sinks {
        let own: Vec<Type> = types.drain(..sink.arity()).collect();
        match sink {
            StreamSink::Reduce { neutral: Some(neutral), .. } => {
                let of_own = |&atom: &Atom| match atom.var() {
                    Some(array) if !builder.type_of(atom).is_scalar() => builder.copy(array),
                    _ => atom,
                };
                results.extend(neutral.iter().map(of_own).collect::<Vec<Atom>>());
            }
            _ => results.extend(own.into_iter().map(|ty| builder.bind(ty, Exp::Scratch))),
        }
    }
    builder.end(results)
}
