//! The table of limitations: constructs that this compiler cannot handle yet, with alternatives.
//!
//! A limitation is neither the user's error nor a bug. Every crate that refuses a correct program
//! names an entry of this table. The runtimes, which do not depend on the compiler, have a table of
//! their own for missing device features. The documentation lists both.

macro_rules! limitations {
    ($($name:ident = $problem:literal, $instead:literal;)*) => {
        /// Something of the language, or of a device, that this compiler cannot handle yet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Limitation {
            $(#[doc = $problem] $name,)*
        }

        impl Limitation {
            /// All limitations, in the order of the table.
            pub const ALL: &'static [Limitation] = &[$(Limitation::$name),*];

            /// The limitation, in one sentence.
            pub fn problem(self) -> &'static str {
                match self { $(Limitation::$name => $problem,)* }
            }

            /// The alternative.
            pub fn advice(self) -> &'static str {
                match self { $(Limitation::$name => $instead,)* }
            }
        }
    };
}

limitations! {
    ModuleCopies = "parametric modules or module types make too many copies of each other", "apply a parametric module once, and give the result a name";
    TypeSize = "types with this many parts are not supported", "put values of one type into an array";
    EntangledCases = "the cases of this `match` are too entangled to be checked", "match on fewer values at once";
    Hole = "a hole that stands for functions of any type is not supported yet", "write the function with a hole for its body, `\\x -> ???`";
    CodeSize = "this function becomes too large when its calls are inlined", "call the same function less often, from a loop";
    Calls = "functions that call themselves, or are too large to inline, are not supported on the GPU yet", "use a `loop`, or run with `--backend cpu`";
    Attributes = "this attribute is not supported yet", "leave it out";
    Differentiation = "automatic differentiation is not supported yet", "write the derivative by hand";
    IrregularArray = "arrays whose rows differ in size are not supported yet", "pad the rows to one size";
    ThreadArray = "an array whose size changes in a loop of its thread, or is computed in an operator, is not supported on the GPU yet", "make the size the same in all iterations, or run with `--backend cpu`";
    Segments = "a file of core IR is not supported yet if a segment of workgroups in it does more than map, or if a segment of several dimensions combines into arrays, reduces arrays or scans arrays", "let workgroups only map, and give other segments one dimension";
    BlockArrays = "the arrays of a workgroup of `#[flattening(block)]` do not fit the memory that its threads share", "leave the attribute out, or run with `--backend cpu`";
    DeviceNesting = "branches and loops nested this deeply are not supported on the GPU yet", "nest them less, or run with `--backend cpu`";
}
