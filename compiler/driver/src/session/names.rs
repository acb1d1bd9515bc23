//! The names in scope, for whoever completes a word.

use ravel_base::Symbol;
use ravel_types::{Module, ModuleEntry};

use crate::library::Library;

/// The names that begin with this word: those of a session before those of the prelude.
pub(super) fn beginning_with(scope: &Module, word: &str) -> Vec<String> {
    let (path, begin) = word.rsplit_once('.').map_or(("", word), |(path, begin)| (path, begin));
    let root = &Library::get().env().root;
    let found = [scope, root].into_iter().filter_map(|module| inside(module, path));
    let mut names: Vec<String> = match path {
        "" => found.flat_map(|module| own(module, begin)).collect(),
        // A module of the session hides that of the prelude.
        _ => {
            found.take(1).flat_map(|module| own(module, begin)).map(|name| format!("{path}.{name}")).collect()
        }
    };
    names.sort();
    names.dedup();
    names
}

/// The module at the end of a path of names.
fn inside<'m>(module: &'m Module, path: &str) -> Option<&'m Module> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(module, |module, name| {
        match &**module.modules.get(&Symbol::new(name))? {
            ModuleEntry::Structure(inner) => Some(inner),
            ModuleEntry::Functor(_) => None,
        }
    })
}

/// The names of a module that begin like this.
fn own(module: &Module, begin: &str) -> Vec<String> {
    let values = module.values.keys().chain(module.modules.keys());
    let types = module.types.keys().chain(module.signatures.keys());
    let names = values.chain(types).map(|name| name.as_str());
    let is_word = |name: &str| name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    names.filter(|name| name.starts_with(begin) && is_word(name)).map(str::to_owned).collect()
}
