//! Entry points agree with their functions.

use ravel_base::{Names, Symbol};
use ravel_prim::PrimType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Verified, fault, require};
use crate::alias::Aliases;
use crate::print::Namer;
use crate::syntax::*;

pub(super) fn entry(
    functions: &FxHashMap<Symbol, &Function>,
    aliases: &FxHashMap<Symbol, Aliases>,
    entry: &Entry,
    names: Names,
) -> Verified {
    let (Some(&function), Some(aliases)) = (functions.get(&entry.function), aliases.get(&entry.function))
    else {
        return fault(format!("there is no function `{}`", entry.function));
    };
    let params: Vec<Var> = function.params.iter().map(|param| param.var).collect();
    let namer = Namer { vars: &function.vars, names };
    require_listed(namer, &entry.params, &params)?;
    let is_empty_tuple = |var: &Var| function.vars[*var].ty == Type::scalar(PrimType::Bool);
    let is_listed = |var: &Var| entry.results.iter().any(|value| value.var == *var);
    let results: Vec<Var> =
        function.results.iter().copied().filter(|var| is_listed(var) || !is_empty_tuple(var)).collect();
    require_listed(namer, &entry.results, &results)?;
    let name = |value: &EntryValue| namer.atom(Atom::Var(value.var));
    let (consumed, borrowed): (Vec<&Param>, Vec<&Param>) =
        function.params.iter().partition(|param| param.consumed);
    let [consumed, borrowed] =
        [consumed, borrowed].map(|params| params.iter().map(|param| param.var).collect::<FxHashSet<Var>>());
    for value in &entry.params {
        require(consumed.contains(&value.var) == value.unique, || {
            format!("entry and function disagree on whether `{}` is consumed", name(value))
        })?;
    }
    let returned: FxHashMap<Var, Atom> =
        function.results.iter().copied().zip(function.body.result.iter().copied()).collect();
    for value in entry.results.iter().filter(|value| value.unique) {
        let shares = returned.get(&value.var).is_some_and(|&atom| {
            aliases.memory(aliases.of_atom(atom)).any(|place| borrowed.contains(&place))
        });
        require(!shares, || format!("the unique result `{}` may be a parameter", name(value)))?;
    }
    Ok(())
}

/// Demands that `values` lists each of `all` once; sizes of listed arrays need not be listed.
fn require_listed(namer: Namer<'_>, values: &[EntryValue], all: &[Var]) -> Verified {
    let show = |var: Var| namer.atom(Atom::Var(var));
    let known: FxHashSet<Var> = all.iter().copied().collect();
    let mut listed: FxHashSet<Var> = FxHashSet::default();
    for value in values {
        require(known.contains(&value.var), || {
            format!("`{}` is not a parameter or result of the function", show(value.var))
        })?;
        require(listed.insert(value.var), || format!("`{}` is listed twice", show(value.var)))?;
    }
    let sizes = values.iter().flat_map(|value| &namer.vars[value.var].ty.shape);
    let sizes: FxHashSet<Var> = sizes.filter_map(|size| size.var()).collect();
    for var in all {
        let is_known = listed.contains(var) || sizes.contains(var);
        require(is_known, || format!("`{}` is neither listed nor a size", show(*var)))?;
    }
    Ok(())
}
