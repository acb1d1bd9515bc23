//! Functions: named, instantiated, captured, applied.
//!
//! A call evaluates the body of the function with its arguments in place. The alternative, one
//! core function for each instance of a first-order definition, would keep the output of lowering
//! smaller; but fusion wants calls inlined, so it would only be undone one pass later.

use std::rc::Rc;

use ravel_types::tast::{Definition, Function, FunctionBody, Size, Type, ValueId};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::value::{Closure, Env, Value};

impl<'a> Lowering<'_, 'a> {
    /// What a variable stands for, its type and size parameters standing for these.
    pub fn variable(
        &mut self,
        id: ValueId,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        match env.values.get(&id) {
            Some(Value::Function(closure)) if !types.is_empty() || !sizes.is_empty() => {
                let closure = closure.clone();
                Ok(self.instantiate(closure.function, (*closure.env).clone(), types, sizes, env))
            }
            Some(value) => Ok(value.clone()),
            None => match self.definition(id) {
                Some(definition) => self.global(definition, types, sizes, env),
                None => Err(bug(self.span, format!("the variable {id} is not defined"))),
            },
        }
    }

    /// What a top-level definition stands for.
    fn global(
        &mut self,
        definition: &'a Definition,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        let function = &definition.function;
        if !function.params.is_empty() {
            return Ok(self.instantiate(function, Env::default(), types, sizes, env));
        }
        if types.is_empty() && sizes.is_empty() {
            return self.constant(definition);
        }
        match self.instantiate(function, Env::default(), types, sizes, env) {
            Value::Function(closure) => self.call(&closure, Vec::new()),
            value => Ok(value),
        }
    }

    /// A constant, evaluated in front of the entry point's code when it is first asked for.
    fn constant(&mut self, definition: &'a Definition) -> Lowered<Value<'a>> {
        if let Some(value) = self.constants.get(&definition.id) {
            return Ok(value.clone());
        }
        let closure = Closure::new(&definition.function, Env::default());
        let is_user = self.is_user(definition.span);
        let value = self.in_prologue(|lowering| lowering.call(&closure, Vec::new()))?;
        if is_user {
            for leaf in value.leaves().unwrap_or_default() {
                self.builder.name(leaf, definition.name);
            }
        }
        self.constants.insert(definition.id, value.clone());
        Ok(value)
    }

    /// A function with what its type and size parameters stand for. Sizes that are not known yet
    /// are read off the arguments later.
    fn instantiate(
        &mut self,
        function: &'a Function,
        captured: Env<'a>,
        types: &[Type],
        sizes: &[Size],
        env: &Env<'a>,
    ) -> Value<'a> {
        let mut instance = captured;
        for (param, ty) in function.type_params.iter().zip(types) {
            let ty = self.ty(ty, env);
            instance.types.insert(*param, ty);
        }
        for (param, size) in function.size_params.iter().zip(sizes) {
            if let Some(atom) = self.size(size, env) {
                instance.values.insert(*param, Value::Leaf(atom));
            }
        }
        Value::Function(Rc::new(Closure::new(function, instance)))
    }

    /// A function written here, with what is in scope.
    pub fn closure(&self, function: &'a Function, env: &Env<'a>) -> Value<'a> {
        Value::Function(Rc::new(Closure::new(function, env.clone())))
    }

    /// Applies a function to arguments: fewer than it takes, as many, or more.
    pub fn apply(&mut self, mut function: Value<'a>, mut args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        loop {
            let Value::Function(closure) = function else {
                return Err(bug(self.span, "an argument for a value that is no function"));
            };
            let missing = closure.function.params.len() - closure.applied.len();
            let mut all = closure.applied.clone();
            if args.len() < missing {
                all.extend(args);
                return Ok(Value::Function(Rc::new(Closure { applied: all, ..(*closure).clone() })));
            }
            let rest = args.split_off(missing);
            all.extend(args);
            let result = self.call(&closure, all)?;
            if rest.is_empty() {
                return Ok(result);
            }
            (function, args) = (result, rest);
        }
    }

    /// Calls a function with all its arguments, after what must hold before. Of a function that
    /// takes no data the checks come behind.
    fn call(&mut self, closure: &Closure<'a>, mut args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let takes_data = args.iter().any(|arg| !arg.data().is_empty());
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

    /// Evaluates the body of a function with all its arguments.
    fn evaluate(&mut self, closure: &Closure<'a>, args: Vec<Value<'a>>) -> Lowered<Value<'a>> {
        let function = closure.function;
        let mut env = (*closure.env).clone();
        for (param, arg) in function.params.iter().zip(&args) {
            self.bind_sizes(&function.size_params, &param.pattern.ty, arg, &mut env);
        }
        self.enter_call()?;
        let result = match &function.body {
            FunctionBody::Intrinsic(name) => self.intrinsic(*name, function, &env, args)?,
            FunctionBody::Exp(body) => {
                for (param, arg) in function.params.iter().zip(args) {
                    self.bind(&param.pattern, arg, &mut env)?;
                }
                self.exp(body, &mut env)?
            }
        };
        self.leave_call();
        Ok(result)
    }
}
