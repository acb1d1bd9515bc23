//! The state of a check, and the way from a file to its typed tree.

use std::collections::{BTreeMap, HashMap};

use ravel_base::{Diagnostic, Kind, Limitation, Position, Span, Symbol};
use ravel_prim::PrimType;
use ravel_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class::Class;
use crate::env::{Env, Ids, Item, Module, TypeEntry};
use crate::names::{Frame, Scopes};
use crate::recursion::Current;
use crate::size_definition::{SizeDefinition, SizeKey};
use crate::substitute::Substitution;
use crate::tast::{Definition, Exp, ExpNode, Program, Size, Type, TypeId, TypeParamId, ValueId};
use crate::unify::{ERROR, Unifier};
use crate::unknown::{Defined, definitions};

/// What kind of file is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A user's program.
    Program,
    /// The prelude, which may declare intrinsics.
    Prelude,
}

/// What the check of files gives.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The typed definitions. Those with errors are missing.
    pub program: Program,
    /// What the last file defines.
    pub exports: Module,
    /// What the abstract types of the files stand for.
    pub meanings: BTreeMap<TypeId, TypeEntry>,
    /// The first ids that are still free.
    pub free: Ids,
    /// What is wrong, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file to be checked.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its syntax tree.
    pub program: &'a ast::Program,
    /// What it was parsed from.
    pub text: &'a str,
    /// The files that it imports, by the names it writes.
    pub imports: &'a HashMap<String, Import<'a>>,
}

/// A file that is imported.
#[derive(Clone, Copy, Debug)]
pub enum Import<'a> {
    /// The file of this number among those to be checked.
    File(usize),
    /// One that was checked before, and what it defines.
    Checked(&'a Module),
}

/// Checks files, in which all names of `env` are known: each behind those that it imports, so that
/// the program itself is the last.
pub fn check(files: &[File<'_>], env: &Env, mode: Mode) -> Checked {
    let mut checker = Checker {
        text: "",
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
        type_names: FxHashMap::default(),
        bound_in_type: Vec::new(),
        named_types: FxHashSet::default(),
        literals: Vec::new(),
        size_definitions: FxHashMap::default(),
        open_definitions: Vec::new(),
        abstract_prims: FxHashMap::default(),
        first_local: env.free.value,
        loop_sizes: Vec::new(),
        current: None,
        local_functions: Vec::new(),
        left_pipes: FxHashMap::default(),
        of_declared_type: false,
        declares_too_large: false,
        incomplete: false,
        defined: FxHashMap::default(),
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
    let (definitions, meanings) = reveal(checker.items, &env.meanings, &mut free);
    let program = Program { definitions };
    Checked { program, exports, meanings, free, diagnostics: checker.diagnostics }
}

/// The definitions among the items, with every abstract type replaced by what it stands for, and
/// what those among the items stand for.
fn reveal(
    items: Vec<Item>,
    before: &BTreeMap<TypeId, TypeEntry>,
    free: &mut Ids,
) -> (Vec<Definition>, BTreeMap<TypeId, TypeEntry>) {
    let mut known = Substitution::default();
    known.types.extend(before.iter().map(|(id, meaning)| (*id, meaning.clone())));
    let mut definitions = Vec::new();
    let mut meanings = BTreeMap::new();
    for item in items {
        match item {
            Item::Definition(mut definition) | Item::Size(SizeDefinition { mut definition, .. }) => {
                if !known.types.is_empty() {
                    known.function(&mut definition.function);
                }
                definitions.push(definition);
            }
            Item::Type(definition) => {
                let meaning = known.type_entry(&definition.meaning, free);
                meanings.insert(definition.id, meaning.clone());
                known.types.insert(definition.id, meaning);
            }
            // Only parameters wait for an application, and they are gone with their modules.
            Item::Application(_) => {}
        }
    }
    (definitions, meanings)
}

/// The state of a check.
pub(crate) struct Checker<'a> {
    /// The text of the file, for messages that quote it.
    pub(crate) text: &'a str,
    /// The files that it imports.
    pub(crate) imports: Option<&'a HashMap<String, Import<'a>>>,
    /// What the files before it define.
    pub(crate) files: Vec<Module>,
    /// Is the file imported by another?
    pub(crate) is_imported: bool,
    /// What was defined before this file.
    pub(crate) env: &'a Env,
    pub(crate) mode: Mode,
    /// The flexible types and sizes of the definition being checked.
    pub(crate) unifier: Unifier,
    /// The local names in scope.
    pub(crate) scopes: Scopes,
    /// The modules being defined, the file itself first.
    pub(crate) frames: Vec<Frame>,
    /// Their names, the file excepted.
    pub(crate) path: Vec<Symbol>,
    /// Is the declaration being checked `local`?
    pub(crate) local: bool,
    /// The first ids that are still free.
    pub(crate) free: Ids,
    /// How many items parametric modules and module types have copied.
    pub(crate) copies: usize,
    /// The names of values and sizes, for messages.
    pub(crate) names: FxHashMap<ValueId, Symbol>,
    /// Where sizes without a name arise, for messages.
    pub(crate) origins: FxHashMap<ValueId, Span>,
    /// Those of them that come out of a loop.
    pub(crate) loop_results: FxHashSet<ValueId>,
    /// The names of type parameters, for messages.
    pub(crate) type_names: FxHashMap<TypeParamId, Symbol>,
    /// The names that the type being checked has bound around here.
    pub(crate) bound_in_type: Vec<(Symbol, Span)>,
    /// The declared types that the declaration being checked names, for messages.
    pub(crate) named_types: FxHashSet<Symbol>,
    /// The literals of the definition being checked; their nodes hold their numbers.
    pub(crate) literals: Vec<ast::Literal>,
    /// The definitions made for sizes in this file.
    pub(crate) size_definitions: FxHashMap<SizeKey, ValueId>,
    /// Those of them that the definition being checked has made.
    pub(crate) open_definitions: Vec<SizeDefinition>,
    /// The abstract types of modules that stand for primitive ones.
    pub(crate) abstract_prims: FxHashMap<TypeId, PrimType>,
    /// Ids below belong to earlier definitions.
    pub(crate) first_local: u32,
    /// The sizes of the merge parameters of the loops being checked, which may yet change.
    pub(crate) loop_sizes: Vec<Size>,
    /// The function being checked, if it is one.
    pub(crate) current: Option<Current>,
    /// The local functions whose bodies are being checked.
    pub(crate) local_functions: Vec<Symbol>,
    /// The applications by `<|`, and how many arguments stand before it: as the operand on the left the function is
    /// evaluated with these, before the others.
    pub(crate) left_pipes: FxHashMap<Span, usize>,
    /// Is it a declared type, or the type of a declared value, that is being looked at?
    pub(crate) of_declared_type: bool,
    /// Has the declared type that is being checked too many parts?
    pub(crate) declares_too_large: bool,
    /// Was a declaration refused? Then what it would have defined is not unknown.
    pub(crate) incomplete: bool,
    /// Where values are defined at the top level.
    pub(crate) defined: FxHashMap<Symbol, Defined>,
    /// How many diagnostics there were before the declaration being checked.
    pub(crate) begin: usize,
    /// What has been defined, in order.
    pub(crate) items: Vec<Item>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    /// Checks one file.
    fn file(&mut self, file: &File<'a>) {
        self.text = file.text;
        self.imports = Some(file.imports);
        self.defined = definitions(&file.program.decs);
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

    /// A new value id that messages call `name`.
    pub(crate) fn named_value(&mut self, name: Symbol) -> ValueId {
        let id = self.fresh_value();
        self.names.insert(id, name);
        id
    }

    /// A new type parameter that messages call `name`.
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

    /// What is written at a place of the file, on one line, and cut where it is long.
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

    /// Line and column where a place of the file begins.
    pub(crate) fn position(&self, span: Span) -> Position {
        Position::in_text(self.text, span.start)
    }

    /// Says that something of the language is not there yet; once in a declaration.
    pub(crate) fn limit(&mut self, limitation: Limitation, span: Span) {
        let kind = Kind::Limitation(limitation);
        if self.diagnostics[self.begin..].iter().all(|known| known.kind != kind) {
            self.diagnostics.push(Diagnostic::limitation(limitation, Some(span)));
        }
    }

    /// An expression in place of one with an error that has been reported.
    pub(crate) fn broken(&self, span: Span) -> Exp {
        exp(ExpNode::Tuple(Vec::new()), ERROR, span)
    }
}

/// An expression whose evaluation makes no sizes known.
pub(crate) fn exp(node: ExpNode, ty: Type, span: Span) -> Exp {
    Exp { node, ty, exists: Vec::new(), span }
}

/// `[size]row`.
pub(crate) fn array(row: Type, size: Size) -> Type {
    Type::Array(Box::new(row), size)
}
