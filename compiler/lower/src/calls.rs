//! Calls that are not inlined. All calls of one form ([`crate::form`]) share one core function.
//!
//! The type of such a function determines its results: first the existential and the computed sizes, then the leaves of
//! the value. So the results of a recursive function are known while its code is being generated, as its own calls
//! need.
//!
//! A function whose result contains a function cannot become a core function, and is inlined.

use std::rc::Rc;

use ravel_base::{Limitation, Symbol};
use ravel_core::{
    Atom, Body, Call, Exp as CoreExp, Function as CoreFunction, Origin, Param, Substitution, Type, Var,
};
use ravel_types::tast::{Definition, Function, FunctionBody};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cx::{Lowered, Lowering};
use crate::dependence::Checks;
use crate::errors::{bug, limitation};
use crate::form::{Dim, FormCollector, Input, InputReplacer, Operands, Token};
use crate::size_checks::{BySizes, pass_through_own_checks};
use crate::sizes::{Ty, value_of};
use crate::value::{Closure, Env, FunctionName, Value};

/// The maximum length of a form. A longer form arises only from a long chain of calls, in which each function wraps the
/// function that it is passed, and passes the result to the next.
const FORM_LIMIT: usize = 10_000;

/// The maximum total length of the forms of all calls, which bounds the time that forms take. Their number grows if
/// each call passes a longer function than the one before.
const ALL_FORMS_LIMIT: usize = 2_000_000;

/// The functions generated so far.
pub(crate) struct GeneratedFunctions {
    /// The functions, each after those that it calls.
    pub functions: Vec<CoreFunction>,
    /// The parameters on which the results of complete functions depend by sizes alone.
    by_sizes: FxHashMap<Symbol, BySizes>,
    signatures: FxHashMap<Vec<Token>, Rc<Signature>>,
    names: FxHashSet<Symbol>,
    /// The total length of the forms of all calls.
    length_of_forms: usize,
}

/// The signature of a generated function.
struct Signature {
    name: Symbol,
    params: Vec<Var>,
    /// The results that are sizes, each with the parameter that it equals, if any.
    sizes: Vec<(Var, Option<Var>)>,
    /// The leaves of the value with their types, which name parameters and sizes.
    leaves: Vec<(Var, Type)>,
    /// The type of the value.
    ty: Ty,
}

/// The results of a function that is being generated.
struct Results {
    ty: Ty,
    /// The sizes that the function returns. A size without an atom is read from the value. Otherwise the atom is a
    /// number that is passed or computed, and the function checks that the size of the value is equal to it.
    sizes: Vec<(Var, Option<Atom>)>,
    leaves: Vec<Var>,
}

impl GeneratedFunctions {
    /// No functions yet. The names of entry points are reserved.
    pub fn new(program: &[Definition]) -> GeneratedFunctions {
        let entries = program.iter().filter(|definition| definition.entry);
        let names = entries.map(|definition| definition.name).collect();
        GeneratedFunctions {
            functions: Vec::new(),
            by_sizes: FxHashMap::default(),
            signatures: FxHashMap::default(),
            names,
            length_of_forms: 0,
        }
    }

    /// Adds the length of a call's form to the total. Returns whether the total exceeds the limit.
    fn is_exhausted_by(&mut self, length: usize) -> bool {
        self.length_of_forms += length;
        self.length_of_forms > ALL_FORMS_LIMIT
    }

    /// A unique function name.
    fn name(&mut self, wanted: Symbol) -> Symbol {
        let others = (2..).map(|number| Symbol::new(&format!("{wanted}_{number}")));
        let mut names = std::iter::once(wanted).chain(others);
        names.find(|&name| self.names.insert(name)).unwrap_or(wanted)
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Generates a call of the function. If this form has no core function yet, generates it first. Returns `None` if
    /// the function must be inlined.
    pub fn call_function(
        &mut self,
        named: FunctionName,
        closure: &Closure<'a>,
        args: &[Value<'a>],
    ) -> Lowered<Option<Value<'a>>> {
        let recursive = self.program.calls_itself(named.id, closure.function);
        let closure = Closure { applied: Vec::new(), checks: Vec::new(), ..closure.clone() };
        let mut operands = Operands { closure, args: args.to_vec(), constants: Vec::new() };
        let mut collector = FormCollector::new(&self.builder, !recursive);
        operands.visit(self.program, &mut collector);
        for id in self.program.constants(&collector.functions) {
            if let Some(definition) = self.program.definition(id) {
                operands.constants.push((id, self.constant(definition)?));
            }
        }
        let mut collector = FormCollector::new(&self.builder, !recursive);
        operands.visit(self.program, &mut collector);
        let FormCollector { mut form, inputs, passed, .. } = collector;
        if self.program.generated.borrow_mut().is_exhausted_by(form.len()) {
            return Err(limitation(Limitation::CodeSize, self.span));
        }
        form.extend(self.unsafely.then_some(Token::Unchecked));
        // Inlined code states more of the values whose types are unknown here. A recursive function has no choice.
        let is_partly_known = form.contains(&Token::Opaque) || form.contains(&Token::Size(None));
        if form.len() > FORM_LIMIT || is_partly_known && !recursive {
            return self.no_function(recursive);
        }
        self.enter_call()?;
        let known = self.program.generated.borrow().signatures.get(&form).cloned();
        let signature = match known {
            Some(signature) => Some(signature),
            None => {
                let inner = self.inside(named.span);
                inner.specialise(named, &operands, form, &inputs, &passed, recursive)?
            }
        };
        self.leave_call();
        match signature {
            Some(signature) => Ok(self.emit_call(&signature, inputs)),
            None => self.no_function(recursive),
        }
    }

    /// The result of [`Lowering::call_function`] if the function cannot become a core function: `None`, so that it is
    /// inlined, or an error if it is recursive.
    fn no_function<T>(&self, recursive: bool) -> Lowered<Option<T>> {
        if recursive { Err(limitation(Limitation::CodeSize, self.span)) } else { Ok(None) }
    }

    /// Emits the call and returns its value.
    fn emit_call(&mut self, signature: &Signature, inputs: Vec<Input>) -> Option<Value<'a>> {
        let args: Vec<Atom> = inputs.into_iter().map(|input| input.atom).collect();
        let checks = self.checks_of_results(signature, &args);
        let mut substitution: Substitution =
            signature.params.iter().copied().zip(args.iter().copied()).collect();
        let mut binders = Vec::new();
        for &(result, param) in &signature.sizes {
            let size = self.fresh_size();
            if let Some(param) = param {
                self.equate(substitution.atom(Atom::Var(param)), size);
            }
            substitution.insert(result, Atom::Var(size));
            binders.push(size);
        }
        let mut leaves = Vec::new();
        for (_, ty) in &signature.leaves {
            let leaf = self.builder.fresh(None, substitution.ty(ty));
            leaves.push(Atom::Var(leaf));
            binders.push(leaf);
        }
        if !binders.is_empty() {
            let call = Call { function: signature.name, args, path: Some(self.path()) };
            self.builder.emit(binders, CoreExp::Call(call));
        }
        let leaves = leaves.into_iter().zip(checks).map(|(leaf, checks)| self.dependent(leaf, &checks));
        let leaves: Vec<Atom> = leaves.collect();
        value_of(&signature.ty, &mut leaves.into_iter())
    }

    /// For each leaf of the value of a call: the checks of the arguments on which it depends by sizes alone.
    fn checks_of_results(&mut self, signature: &Signature, args: &[Atom]) -> Vec<Checks> {
        let first = signature.sizes.len();
        let results = first..first + signature.leaves.len();
        let by_sizes = self.program.generated.borrow().by_sizes.get(&signature.name).cloned();
        // A function is not known yet to the calls in its own body, which add no checks.
        let by_sizes = by_sizes.unwrap_or_default();
        results
            .map(|result| {
                let params = by_sizes.get(result).into_iter().flatten();
                self.checks_beyond([], params.map(|&param| args[param]))
            })
            .collect()
    }

    /// Generates the function for a form of calls; `None` if it cannot become a core function.
    fn specialise(
        mut self,
        named: FunctionName,
        operands: &Operands<'a>,
        form: Vec<Token>,
        inputs: &[Input],
        passed: &[Option<usize>],
        recursive: bool,
    ) -> Lowered<Option<Rc<Signature>>> {
        let params = self.parameters(inputs);
        let mut replacer =
            InputReplacer { passed: passed.iter().map(|input| input.map(|at| params[at].var)) };
        let Operands { closure, args, constants } = operands.visit(self.program, &mut replacer);
        self.constants.extend(constants);
        for param in &params {
            self.dependences.add_check(param.var);
        }
        let function = closure.function;
        let FunctionBody::Exp(body) = &function.body else { return Ok(None) };
        let mut env = (*closure.env).clone();
        self.bind_params(function, args, &mut env)?;

        let Some(results) = self.declare_results(function, &params, &env)? else { return Ok(None) };
        let sizes = results.sizes.iter().map(|(size, _)| *size);
        let binders: Vec<Var> = sizes.chain(results.leaves.iter().copied()).collect();
        let signature = Rc::new(self.signature(named, &params, &results));
        self.program.generated.borrow_mut().signatures.insert(form, signature.clone());

        let value = self.exp(body, &mut env)?;
        let result = self.return_results(function, &results, &value, &mut env)?;
        let program = self.program;
        let noinline = named.noinline || recursive;
        let dependences = self.finish_dependences();
        let mut function = CoreFunction {
            noinline,
            origin: Origin::at(named.span),
            ..self.finish(signature.name, params, binders, result)
        };
        let mut generated = program.generated.borrow_mut();
        let by_sizes = pass_through_own_checks(&mut function, &dependences, &generated.functions);
        generated.by_sizes.insert(signature.name, by_sizes);
        generated.functions.push(function);
        Ok(Some(signature))
    }

    /// The signature of the function with these parameters and results.
    fn signature(&self, named: FunctionName, params: &[Param], results: &Results) -> Signature {
        let params: Vec<Var> = params.iter().map(|param| param.var).collect();
        let param = |number: Option<Atom>| number?.var().filter(|var| params.contains(var));
        let typed = |&leaf: &Var| (leaf, self.builder.vars()[leaf].ty.clone());
        Signature {
            name: self.program.generated.borrow_mut().name(named.name),
            sizes: results.sizes.iter().map(|&(size, number)| (size, param(number))).collect(),
            leaves: results.leaves.iter().map(typed).collect(),
            ty: results.ty.clone(),
            params,
        }
    }

    /// Parameters for the inputs.
    fn parameters(&mut self, inputs: &[Input]) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        for input in inputs {
            let shape = input.shape.iter().map(|dim| match *dim {
                Dim::Const(size) => Atom::i64(size),
                Dim::Input(number) => Atom::Var(params[number].var),
            });
            let ty = Type::array(input.elem, shape.collect());
            let var = if input.is_size { self.fresh_size() } else { self.builder.fresh(None, ty) };
            params.push(Param { var, consumed: input.consumed });
        }
        params
    }

    /// Binders for the results that the function's type states; `None` if one of them is a function.
    fn declare_results(
        &mut self,
        function: &'a Function,
        params: &[Param],
        env: &Env<'a>,
    ) -> Lowered<Option<Results>> {
        let mut env = env.clone();
        let mut sizes: Vec<(Var, Option<Atom>)> = Vec::new();
        for &id in &function.exists {
            let size = self.fresh_size();
            env.values.insert(id, Value::Leaf(Atom::Var(size)));
            sizes.push((size, None));
        }
        // Only which sizes are equal matters here. The code that computes a size, such as `n + m` of unknown sizes, is
        // dropped: each size is later read from the shape of the returned value.
        self.open();
        let mut ty = self.ty(&function.result, &env);
        ty.state_sizes(&mut || {
            let size = self.fresh_size();
            sizes.push((size, None));
            Atom::Var(size)
        });
        let types = if ty.is_known() { Some(self.leaf_types(&ty)?) } else { None };
        self.close(Vec::new());
        let Some(mut types) = types else { return Ok(None) };
        for dim in types.iter_mut().flat_map(|ty| &mut ty.shape) {
            let Atom::Var(var) = *dim else { continue };
            let is_given = self.is_natural(*dim) && params.iter().any(|param| param.var == var);
            if is_given || sizes.iter().any(|(size, _)| *size == var) {
                continue;
            }
            let known = sizes.iter().find(|(_, number)| *number == Some(*dim)).map(|(size, _)| *size);
            let size = known.unwrap_or_else(|| {
                let size = self.fresh_size();
                sizes.push((size, Some(*dim)));
                size
            });
            *dim = Atom::Var(size);
        }
        sizes.retain(|(size, _)| types.iter().any(|ty| ty.shape.contains(&Atom::Var(*size))));
        let leaves = types.into_iter().map(|ty| self.builder.fresh(None, ty)).collect();
        Ok(Some(Results { ty, sizes, leaves }))
    }

    /// The atoms that the function returns: the sizes, read from the shapes of the value, and the leaves.
    fn return_results(
        &mut self,
        function: &'a Function,
        results: &Results,
        value: &Value<'a>,
        env: &mut Env<'a>,
    ) -> Lowered<Vec<Atom>> {
        for id in &function.exists {
            env.values.remove(id);
        }
        self.bind_sizes(&function.exists, &function.result, value, env);
        let ty = self.ty(&function.result, env);
        let value = self.expect(value, &ty);
        let leaves = self.leaves(&value)?;
        let mut result = Vec::new();
        for (size, _) in &results.sizes {
            let mut leaves = results.leaves.iter().zip(&leaves);
            let found = leaves.find_map(|(&result, &leaf)| {
                let dims = &self.builder.vars()[result].ty.shape;
                let at = dims.iter().position(|dim| *dim == Atom::Var(*size))?;
                self.builder.type_of(leaf).shape.get(at).copied()
            });
            result.push(found.ok_or_else(|| bug(self.span, "a size that the value does not have"))?);
        }
        result.extend(leaves);
        Ok(result)
    }

    /// The function with the statements generated so far as its body.
    pub fn finish(
        mut self,
        name: Symbol,
        params: Vec<Param>,
        results: Vec<Var>,
        result: Vec<Atom>,
    ) -> CoreFunction {
        let mut stms = self.take_prologue();
        let origin = Origin::at(self.span);
        let (vars, code) = self.builder.finish();
        stms.extend(code);
        CoreFunction { name, vars, params, results, body: Body { stms, result }, noinline: false, origin }
    }
}
