//! The checker's state, and the entry point that turns files into a typed tree.

use std::collections::{BTreeMap, HashMap};

use ravel_base::{Diagnostic, Kind, Limitation, Position, Positions, Span, Symbol};
use ravel_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class::Class;
use crate::consumption::{Paths, Representation};
use crate::definition_order::Definitions;
use crate::env::{Env, Ids, Item, Module, TypeEntry};
use crate::exp::{BranchDecisions, FunctionNames, LambdaArgument, LoopSize};
use crate::names::{Frame, Scopes};
use crate::recursion::CurrentFunction;
use crate::size_definition::{SizeDefinition, SizeDefinitions};
use crate::substitute::Substitution;
use crate::tast::{Definition, Exp, ExpNode, Program, Size, Type, TypeId, TypeParamId, ValueId};
use crate::unify::{ERROR, Unifier};

/// What kind of file is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A user's program.
    Program,
    /// The prelude, which may declare intrinsics.
    Prelude,
}

/// The result of checking files.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The typed definitions. Those with errors are missing.
    pub program: Program,
    /// The exports of the last file.
    pub exports: Module,
    /// The definitions of the files' abstract types.
    pub meanings: BTreeMap<TypeId, TypeEntry>,
    /// The first free ids.
    pub free: Ids,
    /// Errors and warnings, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file to check.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its syntax tree.
    pub program: &'a ast::Program,
    /// Its source text.
    pub text: &'a str,
    /// The files that it imports, by the names written in it.
    pub imports: &'a HashMap<String, Import<'a>>,
}

/// An imported file.
#[derive(Clone, Copy, Debug)]
pub enum Import<'a> {
    /// The file with this index among those being checked.
    File(usize),
    /// The text before this one at a prompt, with this index among the files being checked.
    Earlier(usize),
    /// The exports of a file checked before.
    Checked(&'a Module),
}

/// Checks files in the environment `env`. Each file comes after the files that it imports, so the
/// program itself is the last. Without files, the program is empty.
pub fn check(files: &[File<'_>], env: &Env, mode: Mode) -> Checked {
    let mut checker = Checker {
        text: "",
        positions: Positions::new(""),
        imports: None,
        files: Vec::new(),
        is_imported: false,
        env,
        mode,
        unifier: Unifier::default(),
        scopes: Scopes::default(),
        frames: Vec::new(),
        path: Vec::new(),
        local: false,
        free: env.free,
        copies: 0,
        names: FxHashMap::default(),
        origins: FxHashMap::default(),
        loop_results: FxHashSet::default(),
        parametric: FxHashMap::default(),
        type_names: FxHashMap::default(),
        bound_in_type: Vec::new(),
        named_types: FxHashSet::default(),
        literals: Vec::new(),
        size_definitions: SizeDefinitions::default(),
        open_definitions: Vec::new(),
        abstract_types: FxHashMap::default(),
        makers: FxHashSet::default(),
        of_constants: FxHashMap::default(),
        first_local: env.free.value,
        loop_sizes: Vec::new(),
        lambda_arguments: Vec::new(),
        branch_decisions: BranchDecisions::default(),
        expected: None,
        function_names: FxHashMap::default(),
        argument_sizes: Vec::new(),
        current: None,
        local_functions: Vec::new(),
        left_pipes: FxHashMap::default(),
        of_declared_type: false,
        declares_too_large: false,
        incomplete: false,
        defined: Definitions::default(),
        begin: 0,
        items: Vec::new(),
        diagnostics: Vec::new(),
    };
    for (number, file) in files.iter().enumerate() {
        checker.is_imported = number + 1 < files.len();
        checker.file(file);
    }
    let exports = checker.files.pop().unwrap_or_default();
    let mut free = checker.free;
    let (definitions, meanings, too_large) = replace_abstract_types(checker.items, &env.meanings, &mut free);
    let mut diagnostics = checker.diagnostics;
    diagnostics.extend(too_large.map(|span| Diagnostic::limitation(Limitation::TypeSize, Some(span))));
    Checked { program: Program { definitions }, exports, meanings, free, diagnostics }
}

/// The definitions among the items with all abstract types replaced, the definitions of the abstract types among the items,
/// and the place of the first definition whose types become too large, which is left out.
fn replace_abstract_types(
    items: Vec<Item>,
    before: &BTreeMap<TypeId, TypeEntry>,
    free: &mut Ids,
) -> (Vec<Definition>, BTreeMap<TypeId, TypeEntry>, Option<Span>) {
    let mut known = Substitution::default();
    known.types.extend(before.iter().map(|(id, meaning)| (*id, meaning.clone())));
    let mut definitions = Vec::new();
    let mut meanings = BTreeMap::new();
    let mut too_large = None;
    for item in items {
        match item {
            Item::Definition(mut definition) | Item::Size(SizeDefinition { mut definition, .. }) => {
                if !known.types.is_empty() {
                    known.function(&mut definition.function);
                }
                match known.take_exhausted() {
                    true => drop(too_large.get_or_insert(definition.span)),
                    false => definitions.push(definition),
                }
            }
            Item::Type(definition) => {
                let meaning = known.type_entry(&definition.meaning, free);
                meanings.insert(definition.id, meaning.clone());
                known.types.insert(definition.id, meaning);
            }
            // Applications are left unexpanded only inside parametric modules, whose items are not top-level items.
            Item::Application(_) => {}
        }
    }
    (definitions, meanings, too_large)
}

/// The state of a check.
pub(crate) struct Checker<'a> {
    /// The text of the file, for messages that quote it.
    pub(crate) text: &'a str,
    /// The positions in that text.
    positions: Positions<'a>,
    /// The files that the file imports.
    pub(crate) imports: Option<&'a HashMap<String, Import<'a>>>,
    /// The exports of the files checked so far.
    pub(crate) files: Vec<Module>,
    /// Whether the file is imported by another.
    pub(crate) is_imported: bool,
    /// The environment.
    pub(crate) env: &'a Env,
    pub(crate) mode: Mode,
    /// The flexible types and sizes of the definition being checked.
    pub(crate) unifier: Unifier,
    /// The local names in scope.
    pub(crate) scopes: Scopes,
    /// The modules being defined, the file itself first.
    pub(crate) frames: Vec<Frame>,
    /// The names of the modules being defined, without the file.
    pub(crate) path: Vec<Symbol>,
    /// Whether the declaration being checked is `local`.
    pub(crate) local: bool,
    /// The first free ids.
    pub(crate) free: Ids,
    /// The number of items copied by parametric modules and module types.
    pub(crate) copies: usize,
    /// The names of values and sizes, for messages.
    pub(crate) names: FxHashMap<ValueId, Symbol>,
    /// The places where unnamed sizes arise, for messages.
    pub(crate) origins: FxHashMap<ValueId, Span>,
    /// The unnamed sizes that are results of loops.
    pub(crate) loop_results: FxHashSet<ValueId>,
    /// The general types of the functions used so far that are polymorphic in their final result.
    pub(crate) parametric: FxHashMap<ValueId, Type>,
    /// The names of type parameters, for messages.
    pub(crate) type_names: FxHashMap<TypeParamId, Symbol>,
    /// The names bound by the enclosing parts of the type being checked.
    pub(crate) bound_in_type: Vec<(Symbol, Span)>,
    /// The type names used in the declaration being checked, for messages.
    pub(crate) named_types: FxHashSet<Symbol>,
    /// The literals of the definition being checked. Their nodes hold indices into this list.
    pub(crate) literals: Vec<ast::Literal>,
    /// The definitions generated for sizes in this file.
    pub(crate) size_definitions: SizeDefinitions,
    /// The size definitions generated by the definition being checked.
    pub(crate) open_definitions: Vec<SizeDefinition>,
    /// What is known of the abstract types that this text defines.
    pub(crate) abstract_types: FxHashMap<TypeId, Representation>,
    /// The top-level functions used so far that make values of an abstract type.
    pub(crate) makers: FxHashSet<ValueId>,
    /// The top-level values that may share memory with top-level constants, each with the parts of the value, or of the
    /// function's result, that may.
    pub(crate) of_constants: FxHashMap<ValueId, Paths>,
    /// The first id of the definition being checked; smaller ids belong to earlier definitions.
    pub(crate) first_local: u32,
    /// The sizes of the merge parameters of the loops being checked; those of outer loops come first. A size may still
    /// turn out to be variant.
    pub(crate) loop_sizes: Vec<LoopSize>,
    /// The lambdas being checked as arguments, the outermost first.
    pub(crate) lambda_arguments: Vec<LambdaArgument>,
    /// What the branches of the definition being checked decide about sizes of loops and lambdas.
    pub(crate) branch_decisions: BranchDecisions,
    /// If the body of a function is checked next, the written type of the result.
    pub(crate) expected: Option<Type>,
    /// The local names for functions of arrays of any size.
    pub(crate) function_names: FxHashMap<ValueId, FunctionNames>,
    /// The sizes of the arguments of these functions, at each use.
    pub(crate) argument_sizes: Vec<ValueId>,
    /// The top-level function being checked, if any.
    pub(crate) current: Option<CurrentFunction>,
    /// The local functions whose bodies are being checked.
    pub(crate) local_functions: Vec<Symbol>,
    /// The places of the applications written with `<|`, with the number of arguments left of it. The left operand,
    /// which is the function with these arguments, is evaluated before the other arguments.
    pub(crate) left_pipes: FxHashMap<Span, usize>,
    /// Whether the type being checked belongs to a type declaration or value specification.
    pub(crate) of_declared_type: bool,
    /// Whether the declared type being checked has too many parts.
    pub(crate) declares_too_large: bool,
    /// Whether a declaration was refused. Unknown names are then not reported, since that declaration may have defined
    /// them.
    pub(crate) incomplete: bool,
    /// The places of the file's definitions.
    pub(crate) defined: Definitions,
    /// The number of diagnostics before the declaration being checked.
    pub(crate) begin: usize,
    /// The definitions so far, in order.
    pub(crate) items: Vec<Item>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    /// Checks one file.
    fn file(&mut self, file: &File<'a>) {
        self.text = file.text;
        self.positions = Positions::new(file.text);
        self.imports = Some(file.imports);
        self.defined = Definitions::of(&file.program.decs);
        self.incomplete = false;
        self.frames = vec![Frame::default()];
        self.declarations(&file.program.decs);
        self.files.extend(self.frames.pop().map(|frame| frame.exports));
    }
}

impl Checker<'_> {
    /// A new value id.
    pub(crate) fn fresh_value(&mut self) -> ValueId {
        self.free.fresh_value()
    }

    /// A new value id with a name for messages.
    pub(crate) fn named_value(&mut self, name: Symbol) -> ValueId {
        let id = self.fresh_value();
        self.names.insert(id, name);
        id
    }

    /// A new type parameter with a name for messages.
    pub(crate) fn named_type_param(&mut self, name: Symbol) -> TypeParamId {
        let id = TypeParamId(self.free.type_param);
        self.free.type_param += 1;
        self.type_names.insert(id, name);
        id
    }

    /// A flexible type.
    pub(crate) fn fresh_type(&mut self, span: Span) -> Type {
        self.unifier.fresh(Class::ANY, span)
    }

    /// The source text of a place on one line, truncated if it is long.
    pub(crate) fn quote(&self, span: Span) -> Symbol {
        const LONGEST: usize = 80;
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => Symbol::new(&format!("{}…", &line[..end])),
            None => Symbol::new(&line),
        }
    }

    /// The line and column of the start of a place.
    pub(crate) fn position(&self, span: Span) -> Position {
        self.positions.at(span.start)
    }

    /// Reports a limitation of the compiler, at most once in a declaration.
    pub(crate) fn limit(&mut self, limitation: Limitation, span: Span) {
        let kind = Kind::Limitation(limitation);
        if self.diagnostics[self.begin..].iter().all(|known| known.kind != kind) {
            self.diagnostics.push(Diagnostic::limitation(limitation, Some(span)));
        }
    }

    /// A replacement for an expression whose error has been reported.
    pub(crate) fn broken(&self, span: Span) -> Exp {
        exp(ExpNode::Tuple(Vec::new()), ERROR, span)
    }
}

/// An expression without existential sizes.
pub(crate) fn exp(node: ExpNode, ty: Type, span: Span) -> Exp {
    Exp { node, ty, exists: Vec::new(), span }
}

/// `[size]row`.
pub(crate) fn array(row: Type, size: Size) -> Type {
    Type::Array(Box::new(row), size)
}
