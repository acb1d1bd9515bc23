//! The interface of a program in the types of `abi`: the signatures of its entry points, its failure messages and its
//! traces.
//!
//! All backends use this interface, so a program has the same one on each of them.

use ravel_abi::{Cause, Dim, Messages, ParamType, Signature};
use ravel_base::{CallPath, Span, Symbol};
use ravel_prim::PrimType;

use crate::MemorySites;
use crate::syntax::{Atom, Entry, Program, Trace, Type, Var, Versions};

impl Program {
    /// The signature of an entry point, with the tuning parameters on which it may depend.
    pub fn signature(&self, entry: &Entry) -> Signature {
        let params = entry.params.iter().map(|param| ParamType {
            name: param.name.map(|name| name.to_string()),
            elem: entry.elem(param.var),
            dims: param.shape.iter().map(|&size| entry.dim(size)).collect(),
            consumed: param.consumed,
            constructors: param.constructors,
        });
        Signature {
            name: entry.name.to_string(),
            sizes: entry.sizes.len(),
            params: params.collect(),
            results: entry.results.clone(),
            tuning_params: names(&self.parameters_of(entry)),
        }
    }

    /// The names of the program's tuning parameters.
    pub fn parameter_names(&self) -> Vec<String> {
        names(&self.parameters())
    }

    /// The program's failure messages, then a message without text for each of these places. `describe` returns the text
    /// for a place in the source.
    pub fn described_messages(&self, sites: &MemorySites, describe: &dyn Fn(Span) -> String) -> Messages {
        let messages = self.messages.iter();
        let messages = messages.map(|(_, message)| (message.parts.clone(), message.cause, message.path));
        let sites = sites.paths.iter().map(|&path| (Vec::new(), Cause::Program, Some(path)));
        let spans = |path: Option<CallPath>| path.into_iter().flat_map(CallPath::spans);
        let all = messages.chain(sites).map(|(parts, cause, path)| (parts, cause, spans(path)));
        Messages::new(all, describe)
    }
}

impl Entry {
    fn elem(&self, var: Var) -> PrimType {
        match &self.vars[var].ty {
            Type::Scalar(elem) => *elem,
            Type::Block(block) => block.elem,
            Type::Array(view) => view.elem,
        }
    }

    fn dim(&self, size: Atom) -> Dim {
        match size {
            Atom::Var(var) => {
                let number = self.sizes.iter().position(|&size| size == var);
                Dim::Size(number.expect("verified: a size of the entry point"))
            }
            Atom::Const(size) => Dim::Const(size.as_i64().expect("verified: a size is an i64")),
        }
    }
}

impl Trace {
    /// The trace as runtimes get it. `describe` returns the text for its place in the source.
    pub fn to_abi(&self, describe: &dyn Fn(Span) -> String) -> ravel_abi::Trace {
        ravel_abi::Trace {
            label: self.label.to_string(),
            place: self.span.map(describe),
            kind: self.kind,
            values: self.values.clone(),
        }
    }
}

impl Versions {
    /// The versions as runtimes get them, with the text for their place in the source.
    pub fn to_abi(self, place: Option<String>) -> ravel_abi::Versions {
        let Versions { name, names } = self;
        ravel_abi::Versions { name: name.to_string(), place, names: names.map(|name| name.to_string()) }
    }
}

fn names(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}
