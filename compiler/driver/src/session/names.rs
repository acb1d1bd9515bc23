//! The names in scope, for completion.

use ravel_base::Symbol;
use ravel_types::{Module, ModuleEntry};

use crate::library::Library;

/// The names of the session and the prelude that begin with this word, sorted.
pub(super) fn beginning_with(scope: &Module, word: &str) -> Vec<String> {
    let (path, begin) = word.rsplit_once('.').map_or(("", word), |(path, begin)| (path, begin));
    let root = &Library::get().env().root;
    let modules = [scope, root].into_iter().filter_map(|module| submodule(module, path));
    let mut names: Vec<String> = match path {
        "" => modules.flat_map(|module| members(module, begin)).collect(),
        // A module of the session shadows a module of the prelude.
        _ => modules
            .take(1)
            .flat_map(|module| members(module, begin))
            .map(|name| format!("{path}.{name}"))
            .collect(),
    };
    names.sort();
    names.dedup();
    names
}

/// The module at the end of a path of names.
fn submodule<'m>(module: &'m Module, path: &str) -> Option<&'m Module> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(module, |module, name| {
        match &**module.modules.get(&Symbol::new(name))? {
            ModuleEntry::Structure(inner) => Some(inner),
            ModuleEntry::Functor(_) => None,
        }
    })
}

/// The names of a module with this prefix.
fn members(module: &Module, begin: &str) -> Vec<String> {
    let values = module.values.keys().chain(module.modules.keys());
    let types = module.types.keys().chain(module.signatures.keys());
    let names = values.chain(types).map(|name| name.as_str());
    let is_word = |name: &str| name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    names.filter(|name| name.starts_with(begin) && is_word(name)).map(str::to_owned).collect()
}
