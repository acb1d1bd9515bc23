//! For each use of a parallel operator in the programs of this repository, `ravel explain` lists its name exactly
//! once.

use std::collections::{BTreeMap, BTreeSet};

use ravel_abi::Machine;
use ravel_base::Span;
use ravel_driver::{Options, Source};
use ravel_types::tast::{Exp, ExpNode, Program, ValueId};
use ravel_types::visit::{Visit, walk_exp};

use crate::snapshots;

/// The parallel operators of the prelude.
const OPERATORS: &str = "map map1 map2 map3 map4 map5 rotate tabulate tabulate_2d tabulate_3d reduce reduce_comm scan exscan \
    scatter scatter_2d scatter_3d reduce_by_index reduce_by_index_2d reduce_by_index_3d hist spread filter partition \
    partition2 semipartition flatmap flatmap' all any and or stream_map stream_red flat_index_2d flat_index_3d flat_index_4d \
    flat_update_1d flat_update_2d flat_update_3d flat_update_4d";

/// The parallel operators of the prelude's modules.
const OF_MODULES: &str = "sum product maximum minimum";

/// The program that passes an operator to a function that never calls it.
const NEVER_CALLED: &str = "run/sizes/dependent.dsl";

fn is_operator(name: &str) -> bool {
    let (module, word) = name.rsplit_once('.').unwrap_or(("", name));
    let lists = if module.is_empty() { &[OPERATORS][..] } else { &[OPERATORS, OF_MODULES] };
    lists.iter().any(|list| list.split(' ').any(|operator| operator == word))
}

/// The operators that are named by the entry points of a program and the functions that they use.
struct Named<'s> {
    source: &'s Source,
    /// The first value that is not the prelude's.
    first: ValueId,
    /// The values that are not visited yet.
    pending: Vec<ValueId>,
    /// All values found so far.
    found: BTreeSet<ValueId>,
    names: BTreeMap<Span, String>,
}

impl<'a> Visit<'a> for Named<'_> {
    fn value(&mut self, id: ValueId) {
        if self.found.insert(id) {
            self.pending.push(id);
        }
    }

    fn exp(&mut self, exp: &'a Exp) {
        if let ExpNode::Var { id, .. } = exp.node
            && id < self.first
        {
            let text = &self.source.sources().file(exp.span.file).text;
            let name = &text[exp.span.start as usize..exp.span.end as usize];
            self.names.extend(is_operator(name).then(|| (exp.span, name.to_owned())));
        }
        walk_exp(self, exp);
    }
}

/// The number of times that a program names each operator; `first` is the first value that is not the prelude's.
fn named(program: &Program, source: &Source, first: ValueId) -> BTreeMap<String, usize> {
    let definitions: BTreeMap<ValueId, _> = program.definitions.iter().map(|each| (each.id, each)).collect();
    let entries = program.definitions.iter().filter(|each| each.entry).map(|each| each.id);
    let (found, names) = (BTreeSet::new(), BTreeMap::new());
    let mut named = Named { source, first, pending: entries.collect(), found, names };
    while let Some(id) = named.pending.pop() {
        definitions.get(&id).into_iter().for_each(|used| named.function(&used.function));
    }
    counts(named.names.into_values())
}

fn counts(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

fn typed(source: &Source) -> Program {
    ravel_driver::typed_program(source).expect("it compiles").0
}

#[test]
fn each_operator_is_listed_once_by_its_name() {
    ravel_driver::on_large_stack(|| {
        let first = typed(&Source::new("one.dsl", "entry main = 1i32")).definitions[0].id;
        let mut wrong = Vec::new();
        for (path, source) in snapshots::programs() {
            let name = snapshots::name(&path);
            let program = typed(&source);
            let files: BTreeSet<_> = program.definitions.iter().map(|each| each.span.file).collect();
            let explained = ravel_driver::explain(&source, &Options::default(), Machine::Cpu);
            let explained =
                explained.unwrap_or_else(|wrong| panic!("{name}: {:?}", wrong.diagnostics)).operators;
            let explained = explained.into_iter().filter(|operator| files.contains(&operator.span.file));
            let explained =
                explained.map(|operator| operator.name).filter(|name| !["==", "!="].contains(&&**name));
            let (explained, named) = (counts(explained), named(&program, &source, first));
            if explained != named && name != NEVER_CALLED {
                wrong.push(format!("{name}: {named:?} are explained as {explained:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}
