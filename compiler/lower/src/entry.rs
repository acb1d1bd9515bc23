//! Entry points: the parameters and results of a core function as its callers see them.
//!
//! Every size in the types of the parameters is a parameter of its own, which the caller reads from the arrays. If the
//! type computes a size or names another parameter as the size, the entry point checks that the two are equal. Each
//! leaf of a composite value is a parameter or result, as everywhere in core IR.

use ravel_base::{Origin, Symbol};
use ravel_core::alias::{Aliases, Summaries};
use ravel_core::{Atom, Entry, EntryValue, Function, Param, Program, Type, Var};
use ravel_prim::PrimType;
use ravel_types::Uniqueness;
use ravel_types::tast::{self, Definition, FunctionBody, PatternNode, Size, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cx::{Lowered, Lowering};
use crate::data::{TAG, UNIT, is_unit, unit};
use crate::errors::bug;
use crate::size_checks::pass_through_checks;
use crate::value::{Env, Value};

/// The interface of an entry point: its parameters, collected in order.
#[derive(Default)]
struct Interface<'a> {
    env: Env<'a>,
    sizes: Vec<Var>,
    leaves: Vec<Param>,
    values: Vec<EntryValue>,
    /// Whether a size must be checked, because the type computes it or names another parameter.
    checked: bool,
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers an entry point.
    pub fn entry(mut self, definition: &'a Definition) -> Lowered<(Function, Entry)> {
        self.set_span(definition.span);
        let function = &definition.function;
        let FunctionBody::Exp(code) = &function.body else {
            return Err(bug(definition.span, "an entry point that is an intrinsic"));
        };
        let mut interface = Interface::default();
        let mut args = Vec::new();
        for param in &function.params {
            let name = match param.pattern.node {
                PatternNode::Name(_, name) => Some(name),
                _ => None,
            };
            self.set_span(param.pattern.span);
            let info = LeafInfo { name, size_params: &function.size_params };
            args.push(self.parameter(&param.pattern.ty, &param.consumed, info, &mut interface)?);
        }
        let mut env = std::mem::take(&mut interface.env);
        for (param, arg) in function.params.iter().zip(&args) {
            self.bind(&param.pattern, arg.clone(), &mut env)?;
        }
        let before = self.builder.statement_count();
        if interface.checked {
            for (param, arg) in function.params.iter().zip(&args) {
                self.set_span(param.pattern.span);
                let ty = self.ty(&param.pattern.ty, &env);
                let arg = self.expect_of(arg, &ty, "Entry point arguments have invalid sizes: value");
                self.bind(&param.pattern, arg, &mut env)?;
            }
        }
        let preconditions = self.preconditions(before);
        self.set_span(function.declared.as_ref().map_or(definition.span, |declared| declared.span));
        // Sizes that calls compute come after the value, whose failures name the calls that lead to them.
        let mut is_called = false;
        function.result.each_size(&mut |size| is_called |= matches!(size, Size::Call(..)));
        let known = (!is_called).then(|| self.ty(&function.result, &env));
        let value = self.exp(code, &mut env)?;
        let ty = known.unwrap_or_else(|| self.ty(&function.result, &env));
        let value = self.expect(&value, &ty);
        let value = self.require(preconditions, value);
        let mut units = Vec::new();
        let value = without_units(&function.result, value, &mut units);
        self.set_span(definition.span);

        let mut params: Vec<Param> =
            interface.sizes.iter().map(|&var| Param { var, consumed: false }).collect();
        params.extend(interface.leaves);
        let (results, result, values) = self.results(&params, value, units)?;
        let (program, dependences) = (self.program, self.finish_dependences());
        let mut function = self.finish(definition.name, params, results, result);
        pass_through_checks(&mut function, &dependences, &program.generated.borrow().functions);
        let entry = Entry {
            name: definition.name,
            function: definition.name,
            params: interface.values,
            results: values,
            origin: Origin::at(definition.span),
        };
        Ok((function, entry))
    }

    /// The value of a parameter of this type.
    fn parameter(
        &mut self,
        ty: &tast::Type,
        consumed: &Uniqueness,
        info: LeafInfo<'_>,
        interface: &mut Interface<'a>,
    ) -> Lowered<Value<'a>> {
        self.parameter_below(ty, consumed, &mut Vec::new(), info, interface)
    }

    /// As [`Lowering::parameter`], for the elements of arrays with the sizes `outer`.
    fn parameter_below(
        &mut self,
        ty: &tast::Type,
        consumed: &Uniqueness,
        outer: &mut Vec<Atom>,
        info: LeafInfo<'_>,
        interface: &mut Interface<'a>,
    ) -> Lowered<Value<'a>> {
        let is_consumed = consumed.is_whole();
        match ty {
            tast::Type::Prim(elem) => Ok(self.parameter_leaf(*elem, is_consumed, outer, info, interface)),
            tast::Type::Array(row, size) => {
                outer.push(self.parameter_size(size, info, interface));
                let value = self.parameter_below(row, consumed, outer, info, interface);
                outer.pop();
                value
            }
            _ if is_unit(ty) => Ok(match outer[..] {
                [] => Value::Leaf(unit()),
                _ => self.parameter_leaf(UNIT, is_consumed, outer, info, interface),
            }),
            tast::Type::Tuple(_) | tast::Type::Record(_) | tast::Type::Sum(_) => {
                let info = LeafInfo { name: None, ..info };
                let mut values = Vec::new();
                if let tast::Type::Sum(constructors) = ty {
                    values.push(self.parameter_leaf(TAG, is_consumed, outer, info, interface));
                    if let Some(number) = interface.values.last_mut() {
                        number.constructors = u32::try_from(constructors.len()).ok();
                    }
                }
                for (at, part) in ty.parts().into_iter().enumerate() {
                    values.push(self.parameter_below(part, &consumed.part(at), outer, info, interface)?);
                }
                Ok(Value::Tuple(values))
            }
            tast::Type::Function(_) | tast::Type::Param(_) | tast::Type::Abstract(_) => {
                Err(self.function_value())
            }
        }
    }

    fn parameter_leaf(
        &mut self,
        elem: PrimType,
        consumed: bool,
        shape: &[Atom],
        info: LeafInfo<'_>,
        interface: &mut Interface<'a>,
    ) -> Value<'a> {
        let consumed = consumed && !shape.is_empty();
        let var = self.builder.fresh(info.name, Type::array(elem, shape.to_vec()));
        interface.leaves.push(Param { var, consumed });
        interface.values.push(EntryValue { name: info.name, var, unique: consumed, constructors: None });
        Value::Leaf(Atom::Var(var))
    }

    fn parameter_size(&mut self, size: &Size, info: LeafInfo<'_>, interface: &mut Interface<'a>) -> Atom {
        let id = match size {
            Size::Const(value) => return Atom::i64(*value),
            Size::Var(id) if info.size_params.contains(id) => Some(*id),
            _ => None,
        };
        if let Some(known) = id.and_then(|id| interface.env.leaf(id)) {
            return known;
        }
        let var = self.fresh_size();
        interface.sizes.push(var);
        match id {
            Some(id) => {
                interface.env.values.insert(id, Value::Leaf(Atom::Var(var)));
            }
            None => interface.checked = true,
        }
        Atom::Var(var)
    }

    /// The results: their binders, the atoms returned, and the values of the entry. The sizes that are not parameters
    /// come first, then the scalars for empty tuples that are computed, then the leaves of the value.
    fn results(
        &mut self,
        params: &[Param],
        value: Value<'a>,
        units: Vec<Atom>,
    ) -> Lowered<(Vec<Var>, Vec<Atom>, Vec<EntryValue>)> {
        let leaves = self.leaves(&value)?;
        let mut sizes: Vec<(Atom, Var)> = Vec::new();
        let mut types = Vec::new();
        for &leaf in &leaves {
            let mut ty = self.builder.type_of(leaf);
            for size in &mut ty.shape {
                let Atom::Var(var) = *size else { continue };
                if params.iter().any(|param| param.var == var) {
                    continue;
                }
                let known = sizes.iter().find(|(known, _)| known == size).map(|(_, binder)| *binder);
                let binder = known.unwrap_or_else(|| {
                    let binder = self.fresh_size();
                    sizes.push((*size, binder));
                    binder
                });
                *size = Atom::Var(binder);
            }
            types.push(ty);
        }
        let mut binders: Vec<Var> = sizes.iter().map(|(_, binder)| *binder).collect();
        let mut result: Vec<Atom> = sizes.iter().map(|(size, _)| *size).collect();
        for unit in units.into_iter().filter(|unit| unit.var().is_some()) {
            binders.push(self.builder.fresh(None, Type::scalar(UNIT)));
            result.push(unit);
        }
        let mut values = Vec::new();
        for (leaf, ty) in leaves.into_iter().zip(types) {
            let var = self.builder.fresh(None, ty);
            binders.push(var);
            result.push(leaf);
            values.push(EntryValue { name: None, var, unique: false, constructors: None });
        }
        Ok((binders, result, values))
    }
}

/// A value of this type without the scalars that represent empty tuples. Collects these in `units`, because they may
/// depend on checks that must be made.
fn without_units<'a>(ty: &tast::Type, value: Value<'a>, units: &mut Vec<Atom>) -> Value<'a> {
    let parts = ty.parts();
    match value {
        Value::Leaf(unit) if is_unit(ty) => {
            units.push(unit);
            Value::Tuple(Vec::new())
        }
        Value::Tuple(mut values) if !matches!(ty, tast::Type::Array(..)) => {
            let first = values.len() - parts.len();
            let components = values.split_off(first).into_iter().zip(parts);
            values.extend(components.map(|(value, part)| without_units(part, value, units)));
            Value::Tuple(values)
        }
        value => value,
    }
}

/// The properties that all leaves of one parameter share.
#[derive(Clone, Copy)]
struct LeafInfo<'s> {
    name: Option<Symbol>,
    size_params: &'s [ValueId],
}

/// Marks the results of entry points that share no memory with a parameter that is not consumed.
pub(crate) fn mark_unique_results(program: &mut Program) {
    let summaries = Summaries::of(program);
    for entry in &mut program.entries {
        let Some(function) = program.functions.iter().find(|function| function.name == entry.function) else {
            continue;
        };
        let aliases = Aliases::of(function, &summaries);
        let given: FxHashMap<Var, Atom> =
            function.results.iter().copied().zip(function.body.result.iter().copied()).collect();
        let kept = function.params.iter().filter(|param| !param.consumed);
        let kept: FxHashSet<Var> = kept.map(|param| param.var).collect();
        for value in &mut entry.results {
            let is_kept = |place| kept.contains(&place);
            value.unique = given
                .get(&value.var)
                .is_some_and(|&atom| !aliases.memory(aliases.of_atom(atom)).any(is_kept));
        }
    }
}
