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
    TypeSize = "types with this many parts are not supported", "put values of one type into an array, and give a long size a name: `let [k] (ys: [k]i32) = xs`";
    EntangledCases = "checking that this `match` is exhaustive would take too long", "match on fewer values at once";
    Hole = "a hole that stands for functions of any type is not supported yet", "write the function with a hole for its body, `\\x -> ???`";
    CodeSize = "this function becomes too large when its calls are inlined", "call the same function less often, from a loop";
    Calls = "functions that cannot be inlined are not supported on the GPU yet", "use a `loop` in place of recursion, make large functions smaller, or run with `--backend cpu`";
    Attributes = "this attribute is not supported yet", "leave it out";
    Differentiation = "automatic differentiation is not supported yet", "write the derivative by hand";
    IrregularArray = "arrays whose rows differ in size are not supported yet", "pad the rows to one size";
    ThreadArray = "arrays that change size in a thread are not supported on the GPU yet", "make the size the same in all iterations, compute no array in an operator, or run with `--backend cpu`";
    Segments = "this segment of a file of core IR is not supported yet", "let workgroups only map, and give one dimension to segments that combine into arrays, or reduce or scan arrays";
    BlockArrays = "the arrays of this workgroup do not fit its shared memory", "leave `#[flattening(block)]` out, or run with `--backend cpu`";
    DeviceNesting = "branches and loops nested this deeply are not supported on the GPU yet", "nest them less, or run with `--backend cpu`";
}
