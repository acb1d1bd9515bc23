//! The table of error codes, one on each line.
//!
//! Codes are grouped by subject: `E00xx` lexer and parser, `E01xx` names, `E02xx` types, `E03xx` sizes, `E04xx`
//! consumption, `E05xx` entry points, `E06xx` type declarations, modules and imports. `W00xx` are warnings.

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        /// An error of the user. Every code has a title and a test in `tests/errors/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The code as printed, such as `E0101`.
            pub fn number(self) -> &'static str {
                match self { $(Code::$name => $number,)* }
            }

            /// A short description of the code.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    BadToken = "E0001", "characters that form no token";
    BadLiteral = "E0002", "a literal that does not fit its type";
    UnexpectedToken = "E0003", "a token that cannot stand here";
    TooDeep = "E0004", "nesting or size beyond the limit";
    UnknownName = "E0101", "a name that is not defined";
    DuplicateName = "E0102", "a name that is bound twice";
    UnknownType = "E0103", "a type that is not defined";
    UnknownModule = "E0104", "a module or a module type that is not defined";
    HiddenName = "E0105", "a use of a name that begins with an underscore";
    TypeMismatch = "E0201", "types that do not match";
    AmbiguousType = "E0202", "a type that the program leaves open";
    NotAFunction = "E0203", "an argument given to something that is not a function";
    UnknownField = "E0204", "a field that the value does not have";
    InfiniteType = "E0205", "a type that would contain itself";
    BadOperand = "E0206", "a type that the operator does not take";
    BadIndex = "E0207", "an index that does not fit the type of the indexed value";
    TooGeneral = "E0208", "a definition less general than its annotation";
    BadFunctionUse = "E0209", "a function where data is required";
    UnknownConstructor = "E0210", "a constructor that the type does not have";
    UnmatchedCases = "E0211", "a match that does not cover every value";
    RefutablePattern = "E0212", "a pattern that does not match every value";
    UnreachableCase = "E0213", "a case that no value reaches";
    MisplacedParameter = "E0214", "a tuning parameter that is not an expression";
    SizeMismatch = "E0301", "sizes that do not match";
    BadSize = "E0302", "an expression that is not a size";
    UnboundSize = "E0303", "a size that nothing determines";
    Causality = "E0304", "a size that is needed before it is known";
    IrregularArray = "E0305", "an array whose elements might differ in size";
    Consumed = "E0401", "a value used after it was consumed";
    NotConsumable = "E0402", "a value that may not be consumed";
    AliasedResult = "E0403", "a result with aliases that callers do not expect";
    BadEntry = "E0501", "an entry point that cannot be called from outside";
    BadTypeDeclaration = "E0601", "a type declaration that is not allowed";
    BadTypeArgument = "E0602", "a type with the wrong arguments";
    ModuleMismatch = "E0603", "a module that does not match its module type";
    NotParametric = "E0604", "a parametric module in place of a plain one, or the reverse";
    BadModuleType = "E0605", "a module type that is not allowed";
    BadImport = "E0606", "a file that cannot be imported";
    UnknownAttribute = "W0001", "an attribute that is not known";
    Hole = "W0002", "a hole in place of an expression";
    NotFuthark = "W0003", "an addition to Futhark";
    Deprecated = "W0004", "a deprecated form";
    ShownCheck = "W0005", "a check at run time, shown on request";
    NotUnrolled = "W0006", "a loop that cannot be unrolled";
    IdleMark = "W0007", "a `*` that has no effect";
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn numbers_are_distinct_and_ascend() {
        let numbers: Vec<_> = Code::ALL.iter().map(|code| code.number()).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(numbers, sorted);
    }
}
