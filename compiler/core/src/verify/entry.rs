//! Entry points agree with their functions.

use ravel_base::Symbol;
use rustc_hash::FxHashMap;

use super::{Verified, fault, require};
use crate::alias::Aliases;
use crate::print::print_atom;
use crate::syntax::*;

pub(super) fn entry(
    functions: &FxHashMap<Symbol, &Function>,
    aliases: &FxHashMap<Symbol, Aliases>,
    entry: &Entry,
) -> Verified {
    let (Some(&function), Some(aliases)) = (functions.get(&entry.function), aliases.get(&entry.function))
    else {
        return fault(format!("there is no function `{}`", entry.function));
    };
    let params: Vec<Var> = function.params.iter().map(|param| param.var).collect();
    require_listed(&function.vars, &entry.params, &params)?;
    require_listed(&function.vars, &entry.results, &function.results)?;
    let name = |value: &EntryValue| print_atom(&function.vars, Atom::Var(value.var));
    for value in &entry.params {
        let consumed = function.params.iter().any(|param| param.var == value.var && param.consumed);
        require(consumed == value.unique, || {
            format!("entry and function disagree on whether `{}` is consumed", name(value))
        })?;
    }
    let borrowed = function.params.iter().filter(|param| !param.consumed);
    let borrowed: Vec<Var> = borrowed.map(|param| param.var).collect();
    for value in entry.results.iter().filter(|value| value.unique) {
        let index = function.results.iter().position(|&result| result == value.var);
        let returned = index.and_then(|index| function.body.result.get(index));
        let shares = returned.is_some_and(|&atom| {
            aliases.memory(aliases.of_atom(atom)).any(|place| borrowed.contains(&place))
        });
        require(!shares, || format!("the unique result `{}` may be a parameter", name(value)))?;
    }
    Ok(())
}

/// Demands that `values` lists each of `all` once; sizes of listed arrays need not be listed.
fn require_listed(vars: &VarTable, values: &[EntryValue], all: &[Var]) -> Verified {
    let show = |var: Var| print_atom(vars, Atom::Var(var));
    for (index, value) in values.iter().enumerate() {
        require(all.contains(&value.var), || {
            format!("`{}` is no parameter or result of the function", show(value.var))
        })?;
        let again = values[..index].iter().any(|other| other.var == value.var);
        require(!again, || format!("`{}` is listed twice", show(value.var)))?;
    }
    for &var in all {
        let is_listed = values.iter().any(|value| value.var == var);
        let is_size = values.iter().any(|value| vars[value.var].ty.shape.contains(&Atom::Var(var)));
        require(is_listed || is_size, || format!("`{}` is neither listed nor a size", show(var)))?;
    }
    Ok(())
}
