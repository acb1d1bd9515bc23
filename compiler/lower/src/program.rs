//! Facts about the whole program: its definitions, summaries of their code, and the core functions generated so far.
//!
//! ## The functions that become core functions
//!
//! Lowering inlines a call if the called function is used only once, or if it takes no functions and is *light*. The
//! weight of a function is the number of its expressions, including those of the functions inlined in it. All other
//! functions become functions of core IR ([`crate::calls`]). Calls of a function that differ
//! only in the scalars and arrays that they pass have the same *form* ([`crate::form`]). They share one core function,
//! so its code is not repeated at each call. The pass `inline` later inlines most core functions, within bounds of its
//! own. Functions of the prelude are inlined.
//!
//! A function that calls itself, or is marked `#[noinline]`, always becomes a function of core IR.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ravel_base::{Diagnostic, FileId, Span};
use ravel_types::tast::{Definition, Exp, ExpNode, Function, FunctionBody, TypeParamId, ValueId};
use ravel_types::visit::{Visit, walk_exp, walk_function};
use rustc_hash::FxHashMap;

use crate::Library;
use crate::calls::GeneratedFunctions;
use crate::value::FunctionName;

/// The largest weight of a function that is inlined at every call.
const LIGHT: usize = 24;

/// The state of lowering a program.
pub(crate) struct Program<'p, 'a> {
    /// The definitions of the program, and those of the library that it uses.
    user: FxHashMap<ValueId, &'a Definition>,
    library: Library<'p, 'a>,
    prelude_file: FileId,
    /// The core functions generated so far.
    pub generated: RefCell<GeneratedFunctions>,
    /// The warnings so far.
    pub warnings: RefCell<Vec<Diagnostic>>,
    /// The local functions of the program.
    locals: FxHashMap<ValueId, &'a Function>,
    /// The number of uses of each function in the program.
    uses: BTreeMap<ValueId, usize>,
    /// The summaries computed so far, by the address of the function.
    summaries: RefCell<FxHashMap<*const Function, Rc<Summary>>>,
    weights: RefCell<FxHashMap<ValueId, usize>>,
}

/// A summary of a function's code.
#[derive(Default)]
pub(crate) struct Summary {
    /// The number of its expressions.
    nodes: usize,
    /// The variables that it uses, with the number of uses.
    uses: BTreeMap<ValueId, usize>,
    /// The values and sizes that occur in it.
    pub values: BTreeSet<ValueId>,
    /// The values and sizes that it uses as values, and not only in types.
    numbers: BTreeSet<ValueId>,
    /// The type parameters that occur in it.
    pub types: BTreeSet<TypeParamId>,
}

impl<'p, 'a> Program<'p, 'a> {
    pub fn new(program: &'a [Definition], library: Library<'p, 'a>, prelude_file: FileId) -> Self {
        let mut known = Program {
            user: program.iter().map(|definition| (definition.id, definition)).collect(),
            library,
            prelude_file,
            generated: RefCell::new(GeneratedFunctions::new(program)),
            warnings: RefCell::default(),
            locals: FxHashMap::default(),
            uses: BTreeMap::new(),
            summaries: RefCell::default(),
            weights: RefCell::default(),
        };
        let mut waiting: Vec<&'a Definition> = program.iter().collect();
        while let Some(definition) = waiting.pop() {
            let mut locals = Locals(&mut known.locals);
            locals.function(&definition.function);
            let summary = known.summary(&definition.function);
            for (&id, count) in &summary.uses {
                *known.uses.entry(id).or_default() += count;
            }
            for &id in &summary.values {
                if !known.user.contains_key(&id)
                    && let Some(used) = library(id).filter(|used| known.is_user(used.span))
                {
                    known.user.insert(id, used);
                    waiting.push(used);
                }
            }
        }
        known
    }

    /// The top-level definition of this id.
    pub fn definition(&self, id: ValueId) -> Option<&'a Definition> {
        self.user.get(&id).copied().or_else(|| (self.library)(id))
    }

    /// Whether this is code of the user or the library, not of the prelude.
    pub fn is_user(&self, span: Span) -> bool {
        span.file != self.prelude_file
    }

    /// Whether this function becomes a function of core IR.
    pub fn becomes_core_function(&self, named: FunctionName, function: &'a Function) -> bool {
        if function.params.is_empty() {
            return false;
        }
        if named.noinline || self.calls_itself(named.id, function) {
            return true;
        }
        let used_often = self.uses.get(&named.id).is_some_and(|&uses| uses > 1);
        let takes_functions = || function.params.iter().any(|param| param.pattern.ty.has_function());
        self.is_user(named.span) && used_often && (takes_functions() || self.weight(named.id) > LIGHT)
    }

    /// Whether the function calls itself.
    pub fn calls_itself(&self, id: ValueId, function: &'a Function) -> bool {
        self.summary(function).values.contains(&id)
    }

    /// The size parameters that the function uses as numbers.
    pub fn numbers(&self, function: &'a Function) -> Vec<ValueId> {
        let summary = self.summary(function);
        function.size_params.iter().copied().filter(|id| summary.numbers.contains(id)).collect()
    }

    /// The summary of a function.
    pub fn summary(&self, function: &'a Function) -> Rc<Summary> {
        let known = self.summaries.borrow().get(&std::ptr::from_ref(function)).cloned();
        known.unwrap_or_else(|| {
            let summary = Rc::new(Summary::of(function));
            self.summaries.borrow_mut().insert(function, summary.clone());
            summary
        })
    }

    /// The constants of the program that the code of these functions uses, directly or through other functions.
    pub fn constants(&self, functions: &[&'a Function]) -> BTreeSet<ValueId> {
        let mut constants = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting = functions.to_vec();
        while let Some(function) = waiting.pop() {
            for id in &self.summary(function).values {
                let Some(definition) = self.user.get(id).filter(|_| seen.insert(*id)) else { continue };
                let function = &definition.function;
                let generic = !function.type_params.is_empty() || !function.size_params.is_empty();
                if function.params.is_empty() && !generic {
                    constants.insert(*id);
                } else {
                    waiting.push(function);
                }
            }
        }
        constants
    }

    /// The number of expressions that inlining a function adds.
    fn weight(&self, id: ValueId) -> usize {
        let Some(function) =
            self.locals.get(&id).copied().or_else(|| self.definition(id).map(|of| &of.function))
        else {
            return 0;
        };
        if matches!(function.body, FunctionBody::Intrinsic(_)) {
            return 0;
        }
        if let Some(&known) = self.weights.borrow().get(&id) {
            return known;
        }
        let summary = self.summary(function);
        let inside = summary.uses.iter().map(|(&used, &count)| {
            let is_called = self
                .definition(used)
                .is_some_and(|of| self.becomes_core_function(FunctionName::of(of), &of.function));
            if is_called { 0 } else { self.weight(used).saturating_mul(count) }
        });
        let weight = inside.fold(summary.nodes, usize::saturating_add);
        self.weights.borrow_mut().insert(id, weight);
        weight
    }
}

impl Summary {
    fn of(function: &Function) -> Summary {
        let mut summary = Summary::default();
        walk_function(&mut summary, function);
        summary
    }
}

impl<'a> Visit<'a> for Summary {
    fn value(&mut self, id: ValueId) {
        self.values.insert(id);
    }

    fn type_param(&mut self, id: TypeParamId) {
        self.types.insert(id);
    }

    fn exp(&mut self, exp: &'a Exp) {
        self.nodes += 1;
        if let ExpNode::Var { id, .. } = exp.node {
            *self.uses.entry(id).or_default() += 1;
            self.numbers.insert(id);
        }
        if let ExpNode::Size(size) = &exp.node {
            size.any(&mut |id| {
                self.numbers.insert(id);
                false
            });
        }
        walk_exp(self, exp);
    }
}

/// Collects local functions.
struct Locals<'l, 'a>(&'l mut FxHashMap<ValueId, &'a Function>);

impl<'a> Visit<'a> for Locals<'_, 'a> {
    fn exp(&mut self, exp: &'a Exp) {
        if let ExpNode::LetFunction { id, function, .. } = &exp.node {
            self.0.insert(*id, function);
        }
        walk_exp(self, exp);
    }
}
