//! What the pass manager needs of an intermediate representation, for core IR and kernel IR.

use ravel_base::{FileId, ParseError, TextFault};
use ravel_core::visit::Visit;
use ravel_core::{Program as CoreProgram, Stm, Var};
use ravel_kernel::{Program as KernelProgram, Target};
use ravel_passes::components;

/// An intermediate representation that passes rewrite.
pub trait Ir: Clone + PartialEq + Send + 'static {
    /// Its name, which is also its file extension.
    const NAME: &'static str;

    /// The order of the functions and entry points of a program.
    type Order: Default;

    /// What the verifier finds wrong with the program, if anything.
    fn fault(&self, target: &Target) -> Option<String>;

    /// Parses a program from the text of a file, in which limitations have their places.
    ///
    /// # Errors
    /// The first syntax error.
    fn parse(text: &str, file: FileId) -> Result<Self, ParseError>;

    /// What the verifier finds wrong with the program of a text, with its place in the text.
    fn fault_in_text(text: &str, file: FileId, target: &Target) -> Option<TextFault>;

    /// The program as text.
    fn print(&self) -> String;

    /// The rules in the origins of its statements. Directly after lowering, these are the rules of lowering.
    fn rules(&self) -> Vec<&'static str>;

    /// Numbers binders in order of appearance.
    fn renumber(&mut self);

    /// Splits the program into parts that passes may rewrite independently, with the order in which to join them. A small
    /// program is one part.
    fn split(self) -> (Vec<Self>, Self::Order);

    /// Joins parts.
    fn join(parts: Vec<Self>, order: &Self::Order) -> Self;

    /// The program as text, with binders numbered in order of appearance.
    fn text(&self) -> String {
        let mut program = self.clone();
        program.renumber();
        program.print()
    }
}

impl Ir for CoreProgram {
    const NAME: &'static str = "core";

    type Order = components::Order;

    fn fault(&self, _: &Target) -> Option<String> {
        Some(ravel_core::verify(self).err()?.to_string())
    }

    fn parse(text: &str, file: FileId) -> Result<Self, ParseError> {
        ravel_core::parse_with_places(text, file)
    }

    fn fault_in_text(text: &str, file: FileId, _: &Target) -> Option<TextFault> {
        ravel_core::fault_in_text(text, file)
    }

    fn print(&self) -> String {
        ravel_core::print(self)
    }

    fn rules(&self) -> Vec<&'static str> {
        struct Rules(Vec<&'static str>);
        impl Visit for Rules {
            fn var(&mut self, _: &Var) {}
            fn binder(&mut self, _: &Var) {}
            fn stm(&mut self, stm: &Stm) {
                self.0.extend(&stm.origin.rules);
                self.exp(&stm.exp);
            }
        }
        let mut rules = Rules(Vec::new());
        self.functions.iter().for_each(|function| rules.body(&function.body));
        rules.0
    }

    fn renumber(&mut self) {
        ravel_core::renumber(self);
    }

    fn split(self) -> (Vec<Self>, Self::Order) {
        let order = components::Order::of(&self);
        (components::split(self), order)
    }

    fn join(parts: Vec<Self>, order: &Self::Order) -> Self {
        components::join(parts, order)
    }
}

impl Ir for KernelProgram {
    const NAME: &'static str = "kernel";

    type Order = ();

    fn fault(&self, target: &Target) -> Option<String> {
        Some(ravel_kernel::check(self, target).err()?.to_string())
    }

    /// The statements of a segment have the place that its head states.
    fn parse(text: &str, _: FileId) -> Result<Self, ParseError> {
        ravel_kernel::parse(text)
    }

    fn fault_in_text(text: &str, file: FileId, target: &Target) -> Option<TextFault> {
        ravel_kernel::fault_in_text(text, file, target)
    }

    fn print(&self) -> String {
        self.to_string()
    }

    fn rules(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn renumber(&mut self) {
        self.renumber();
    }

    fn split(self) -> (Vec<Self>, ()) {
        (vec![self], ())
    }

    fn join(mut parts: Vec<Self>, _: &()) -> Self {
        parts.swap_remove(0)
    }
}
