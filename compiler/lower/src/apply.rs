//! Functions: names, instances, closures, applications.
//!
//! An application is inlined, unless the function becomes a function of core IR ([`crate::program`] says when). In that
//! case [`crate::calls`] generates the call.
//!
//! Statements of a user's function have their places in that function. Statements of a prelude function have the place
//! of the application. There is one exception: in `map (reduce (+) 0)` or `map f >-> scan (+) 0`, the code of the prelude
//! applies the function to its last argument. Then the statements have the place where the user's program names the
//! function or gives it its first arguments.
//!
//! The failures of a user's function also list the places of the calls that lead to it. Calls inside the prelude are
//! not listed.

use std::rc::Rc;

use ravel_base::{Span, Symbol};
use ravel_core::Atom;
use ravel_types::Uniqueness;
use ravel_types::tast::{Definition, Function, FunctionBody, Size, Type, ValueId};

use crate::cx::{Lowered, Lowering};
use crate::data::is_unit;
use crate::errors::bug;
use crate::value::{Closure, Env, FunctionName, Value};

impl<'a> Lowering<'_, 'a> {
    /// The value of a variable, instantiated with these types and sizes.
    pub fn variable(
        &mut self,
        id: ValueId,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        match env.values.get(&id) {
            Some(Value::Function(closure)) if !types.is_empty() || !sizes.is_empty() => {
                Ok(self.instantiate(&closure.clone(), types, sizes, env))
            }
            Some(value) => Ok(value.clone()),
            None => match self.program.definition(id) {
                Some(definition) => self.global(definition, types, sizes, env),
                None => Err(bug(self.span, format!("the variable {id} is not defined"))),
            },
        }
    }

    /// The value of a top-level definition.
    fn global(
        &mut self,
        definition: &'a Definition,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        let closure = top_level(definition);
        if !definition.function.params.is_empty() {
            return Ok(self.instantiate(&closure, types, sizes, env));
        }
        if types.is_empty() && sizes.is_empty() {
            return self.constant(definition);
        }
        match self.instantiate(&closure, types, sizes, env) {
            Value::Function(closure) => self.call(&closure, Vec::new()),
            value => Ok(value),
        }
    }

    /// A constant, evaluated before the function's code when it is first used.
    pub fn constant(&mut self, definition: &'a Definition) -> Lowered<Value<'a>> {
        if let Some(value) = self.constants.get(&definition.id) {
            return Ok(value.clone());
        }
        let closure = top_level(definition);
        let is_user = self.program.is_user(definition.span);
        // A user's constant does not depend on its first use, so its failures do not list the calls that lead there.
        let caller = self.set_caller(if is_user { None } else { self.caller() });
        let value = self.in_prologue(|lowering| lowering.call(&closure, Vec::new()))?;
        self.set_caller(caller);
        if is_user {
            for leaf in value.data() {
                self.builder.name(leaf, definition.name);
            }
        }
        self.constants.insert(definition.id, value.clone());
        Ok(value)
    }

    /// A function with the values of its type and size parameters. Sizes that are still unknown
    /// are read from the arguments later.
    fn instantiate(
        &mut self,
        closure: &Closure<'a>,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Value<'a> {
        let function = closure.function;
        let mut instance = (*closure.env).clone();
        for (param, ty) in function.type_params.iter().zip(types) {
            let ty = self.ty(ty, env);
            instance.types.insert(*param, ty);
        }
        for (param, size) in function.size_params.iter().zip(sizes) {
            if let Some(atom) = self.size(size, env) {
                instance.values.insert(*param, Value::Leaf(atom));
            }
        }
        Value::Function(Rc::new(Closure { env: Rc::new(instance), ..closure.clone() }))
    }

    /// The closure of a function expression in this scope.
    pub fn closure(&self, function: &'a Function, named: Option<FunctionName>, env: &Env<'a>) -> Value<'a> {
        Value::Function(Rc::new(Closure { named, ..Closure::new(function, env.clone()) }))
    }

    /// The value of an expression at `span`. If it is a prelude function, `span` becomes the place of its applications. A
    /// place outside `span` that it already has stays.
    pub fn with_place(&self, value: Value<'a>, span: Span) -> Value<'a> {
        match value {
            Value::Function(mut closure)
                if self.program.is_user(span)
                    && closure.named.is_some_and(|named| !self.program.is_user(named.span))
                    && closure.place.as_ref().is_none_or(|(place, _)| span.holds(*place)) =>
            {
                let place = &mut Rc::make_mut(&mut closure).place;
                let (_, attributes) = place.take().unwrap_or((span, Vec::new()));
                *place = Some((span, self.with_attributes(attributes)));
                Value::Function(closure)
            }
            value => value,
        }
    }

    /// Applies a function to too few, all or too many arguments.
    pub fn apply(&mut self, mut function: Value<'a>, mut args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        loop {
            let Value::Function(closure) = function else {
                return Err(bug(self.span, "an argument for a value that is not a function"));
            };
            let missing = closure.function.params.len() - closure.applied.len();
            if args.len() < missing {
                let mut all = closure.applied.clone();
                all.extend(args);
                return Ok(Value::Function(Rc::new(Closure { applied: all, ..(*closure).clone() })));
            }
            let mut all = self.applied_for_one_call(&closure)?;
            let rest = args.split_off(missing);
            all.extend(args);
            let result = self.call(&closure, all)?;
            if rest.is_empty() {
                return Ok(result);
            }
            (function, args) = (result, rest);
        }
    }

    /// The arguments of a partial application, for one of its calls. Each call that consumes one of them gets a copy.
    fn applied_for_one_call(&mut self, closure: &Closure<'a>) -> Lowered<Vec<Value<'a>>> {
        let first = closure.applied.iter().zip(&closure.function.params);
        first.map(|(value, param)| self.copy_consumed(value, &param.consumed)).collect()
    }

    /// The value, with a copy of each array that is consumed.
    fn copy_consumed(&mut self, value: &Value<'a>, consumed: &Uniqueness) -> Lowered<Value<'a>> {
        match (value, consumed) {
            (_, Uniqueness::None) => Ok(value.clone()),
            (Value::Tuple(parts), _) => {
                let parts = parts.iter().enumerate();
                let copies = parts.map(|(at, part)| self.copy_consumed(part, &consumed.part(at)));
                copies.collect::<Lowered<_>>().map(Value::Tuple)
            }
            (Value::Leaf(Atom::Var(var)), _) if !self.builder.vars()[*var].ty.shape.is_empty() => {
                Ok(Value::Leaf(self.builder.copy(*var)))
            }
            _ => Ok(value.clone()),
        }
    }

    /// Calls a function with all its arguments. The checks that the closure must make before a call guard the arguments that
    /// have data. If no argument has data, they guard the result.
    fn call(&mut self, closure: &Closure<'a>, mut args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let params = closure.function.params.iter().map(|param| &param.pattern.ty);
        let takes_data = params.zip(&args).any(|(ty, arg)| !is_unit(ty) && !arg.data().is_empty());
        if takes_data {
            for (cond, message) in &closure.checks {
                args = args.iter().map(|arg| self.guard_value(*cond, arg, message.clone())).collect();
            }
        }
        let result = self.evaluate(closure, args)?;
        let checks = if takes_data { &[] } else { closure.checks.as_slice() };
        let check = |result, (cond, message): &(_, Vec<_>)| self.guard_value(*cond, &result, message.clone());
        Ok(checks.iter().fold(result, check))
    }

    /// Adds the attributes of the current place to these attributes.
    fn with_attributes(&self, mut attributes: Vec<Symbol>) -> Vec<Symbol> {
        for attribute in self.place().1 {
            if !attributes.contains(&attribute) {
                attributes.push(attribute);
            }
        }
        attributes
    }

    /// Evaluates a call at the place of the closure, if it has one, with the attributes of that place and of the
    /// current one.
    fn evaluate(&mut self, closure: &Closure<'a>, args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let Some((written, own_attributes)) = closure.place.clone() else {
            return self.evaluate_here(closure, args);
        };
        let (span, attributes) = self.place();
        let caller = self.set_caller(if span.holds(written) { self.caller() } else { Some(self.path()) });
        self.set_place((written, self.with_attributes(own_attributes)));
        let result = self.evaluate_here(closure, args)?;
        self.set_caller(caller);
        self.set_place((span, attributes));
        Ok(result)
    }

    /// Generates a call, or inlines the function.
    fn evaluate_here(&mut self, closure: &Closure<'a>, args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let function = closure.function;
        if let Some(named) = closure.named
            && self.program.becomes_core_function(named, function)
            && let Some(value) = self.call_function(named, closure, &args)?
        {
            return Ok(value);
        }
        let mut env = (*closure.env).clone();
        self.enter_call()?;
        let result = match &function.body {
            FunctionBody::Intrinsic(name) => {
                self.bind_size_params(function, &args, &mut env);
                self.intrinsic(*name, function, &env, args)?
            }
            FunctionBody::Exp(body) => {
                self.bind_params(function, args, &mut env)?;
                // The anonymous functions in the code of a size that was first written elsewhere belong to that code.
                let enters = !function.params.is_empty()
                    && self.program.is_user(body.span)
                    && !(closure.named.is_none() && self.is_in_distant_size());
                if enters {
                    let caller = self.set_caller(Some(self.path()));
                    let path = self.set_path_of_size(None);
                    let result = self.exp(body, &mut env)?;
                    self.set_path_of_size(path);
                    self.set_caller(caller);
                    result
                } else {
                    self.exp(body, &mut env)?
                }
            }
        };
        self.leave_call();
        Ok(result)
    }

    /// Binds the parameters of a function, and each size parameter that the arguments determine.
    pub fn bind_params(
        &mut self,
        function: &'a Function,
        args: Vec<Value<'a>>,
        env: &mut Env<'a>,
    ) -> Lowered<()> {
        self.bind_size_params(function, &args, env);
        for id in self.program.numbers(function) {
            let params = function.params.iter().map(|param| &param.pattern.ty);
            self.bind_checks(id, &Size::Var(id), params.zip(&args), env);
        }
        for (param, arg) in function.params.iter().zip(args) {
            self.bind(&param.pattern, arg, env)?;
        }
        Ok(())
    }

    fn bind_size_params(&self, function: &'a Function, args: &[Value<'a>], env: &mut Env<'a>) {
        for (param, arg) in function.params.iter().zip(args) {
            self.bind_sizes(&function.size_params, &param.pattern.ty, arg, env);
        }
    }
}

/// A top-level definition before its instantiation.
fn top_level(definition: &Definition) -> Closure<'_> {
    Closure {
        named: Some(FunctionName::of(definition)),
        ..Closure::new(&definition.function, Env::default())
    }
}
