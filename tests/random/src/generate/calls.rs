//! Functions and their calls. A function may call earlier functions, and itself a few times.

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::Writer;
use super::results::ResultKind;
use super::scope::{Regions, Size};

/// The signature of a function. Its parameters are a size that is at least 1, a number from 0 to 3 that bounds its
/// recursion, and those listed here.
#[derive(Clone)]
pub struct Callable {
    name: Symbol,
    params: Vec<CallParam>,
    results: Vec<CallResult>,
}

#[derive(Clone, Copy)]
struct CallParam {
    elem: PrimType,
    /// An array of the size; otherwise a scalar.
    is_array: bool,
    consumed: bool,
}

#[derive(Clone, Copy)]
enum CallResult {
    Scalar(PrimType),
    /// An array of the size.
    Array(PrimType),
    /// An array of some size.
    Sized(PrimType),
}

impl CallResult {
    fn kind(self, size: Atom) -> ResultKind {
        match self {
            CallResult::Scalar(elem) => ResultKind::Scalar(elem),
            CallResult::Array(elem) => ResultKind::Array(Type::array(elem, vec![size])),
            CallResult::Sized(elem) => ResultKind::Sized(elem),
        }
    }
}

impl Writer {
    /// Writes a function, which later code can call.
    pub fn callee(&mut self, index: usize) -> Function {
        let name = Symbol::new(&format!("f{index}"));
        let mut params = self.begin(&["s"]);
        let size = Atom::Var(params[0].var);
        let left = self.b.fresh(Some(Symbol::new("left")), super::long());
        params.push(Param { var: left, consumed: false });
        let mut taken = Vec::new();
        for at in 0..=self.choices.below(4) {
            let elem = self.prim();
            let is_array = at == 0 || self.choices.below(2) == 1;
            let ty = Type::array(elem, if is_array { vec![size] } else { Vec::new() });
            let param = self.param(ty);
            taken.push(CallParam { elem, is_array, consumed: param.consumed });
            params.push(param);
        }
        let results: Vec<CallResult> = (0..=self.choices.below(2))
            .map(|_| match self.choices.below(3) {
                0 => CallResult::Scalar(self.prim()),
                1 => CallResult::Array(self.prim()),
                _ => CallResult::Sized(self.prim()),
            })
            .collect();
        let callable = Callable { name, params: taken, results };
        let kinds: Vec<ResultKind> = callable.results.iter().map(|result| result.kind(size)).collect();
        let noinline = self.choices.once_in(3);
        let result = if self.choices.once_in(3) {
            self.calls_itself(&callable, &kinds, left, size)
        } else {
            self.statements(1, 8);
            self.result_values(&kinds)
        };
        self.callables.push(callable);
        self.finish(name, params, &kinds, result, noinline)
    }

    /// The body of a function that recurses with a counter, down to 0.
    fn calls_itself(
        &mut self,
        callable: &Callable,
        kinds: &[ResultKind],
        left: Var,
        size: Atom,
    ) -> Vec<Atom> {
        self.statements(1, 3);
        let cond = self.b.compare(CmpOp::Lt, Atom::i64(0), Atom::Var(left));
        let before = self.memory.consumed.clone();
        let then = self.nested(self.scope.clone(), |writer| {
            let less = writer.b.binary(BinOp::Sub, Atom::Var(left), Atom::i64(1));
            let binders = writer.write_call(callable, kinds, less, size);
            binders.into_iter().map(Atom::Var).collect()
        });
        self.memory.consumed = before;
        let otherwise = self.nested(self.scope.clone(), |writer| {
            writer.statements(2, 4);
            writer.result_values(kinds)
        });
        let binders = self.binders(kinds);
        self.b.emit(binders.clone(), Exp::If { cond, then, otherwise });
        binders.into_iter().map(Atom::Var).collect()
    }

    /// A call of one of the functions.
    pub fn call(&mut self, depth: usize) {
        if self.callables.is_empty() {
            return self.element(depth);
        }
        let which = self.choices.below(self.callables.len());
        let callable = self.callables[which].clone();
        let sizes: Vec<Size> = self.scope.sizes.iter().copied().filter(|size| size.positive).collect();
        let size = if sizes.is_empty() { Atom::i64(3) } else { self.choices.recent(&sizes).atom };
        let number = self.long();
        let left = self.b.binary(BinOp::And, number, Atom::i64(3));
        let kinds: Vec<ResultKind> = callable.results.iter().map(|result| result.kind(size)).collect();
        self.write_call(&callable, &kinds, left, size);
    }

    /// Writes a call, and adds its results to the scope.
    fn write_call(&mut self, callable: &Callable, kinds: &[ResultKind], left: Atom, size: Atom) -> Vec<Var> {
        let mut args: Vec<Option<Atom>> = vec![None; callable.params.len()];
        let ty = |param: &CallParam| Type::array(param.elem, vec![size]);
        for (arg, param) in args.iter_mut().zip(&callable.params).filter(|(_, param)| param.consumed) {
            let consumed = self.consume(|known| *known == ty(param));
            *arg = Some(Atom::Var(consumed.unwrap_or_else(|| self.own_array(&ty(param)))));
        }
        let mut result_regions = Regions::new();
        for (arg, param) in args.iter_mut().zip(&callable.params).filter(|(_, param)| !param.consumed) {
            *arg = Some(match param.is_array {
                true => {
                    let array = self.array_of(&ty(param));
                    result_regions.extend(self.regions_of(array));
                    Atom::Var(array)
                }
                false => self.scalar(param.elem),
            });
        }
        let args = [size, left].into_iter().chain(args.into_iter().flatten()).collect();
        let binders = self.binders(kinds);
        self.b.emit(binders.clone(), Exp::Call(Call { function: callable.name, args, path: None }));
        // Each result may alias the array arguments and the other results.
        result_regions.extend(&binders);
        self.scope.consumable.extend(&binders);
        self.add_results(&binders, kinds, |_, _| result_regions.clone());
        binders
    }
}
