//! The sections of Futhark's published error index to which messages refer: each explains a rule of the language.

macro_rules! sections {
    ($($name:ident = $anchor:literal;)*) => {
        /// A section of the error index.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Section {
            $(#[doc = $anchor] $name,)*
        }

        impl Section {
            /// The anchor of the section in its page.
            pub fn anchor(self) -> &'static str {
                match self { $(Section::$name => $anchor,)* }
            }
        }
    };
}

sections! {
    UseAfterConsume = "use-after-consume";
    NotConsumable = "not-consumable";
    ReturnAliased = "return-aliased";
    FreshReturnAliased = "fresh-return-aliased";
    SelfAliasingArg = "self-aliasing-arg";
    ConsumingArgument = "consuming-argument";
    AliasFreeVariable = "alias-free-variable";
    InaccessibleSize = "inaccessible-size";
    ConsumingLoopParamAliases = "consuming-loop-param-aliases";
    LoopParameterAliasesOther = "loop-parameter-aliases-other";
    AliasesPreviouslyReturned = "aliases-previously-returned";
    ContainsConsumption = "contains-consumption";
    UnusedSize = "unused-size";
    CausalityCheck = "causality-check";
    UnknownParamDef = "unknown-param-def";
    ExistentialParamRet = "existential-param-ret";
    UnusedExistential = "unused-existential";
    AnonymousNonconstructive = "anonymous-nonconstructive";
    UnifyConsumingParam = "unify-consuming-param";
    AmbiguousSize = "ambiguous-size";
    LoopVariantEscape = "loop-variant-escape";
    ModuleIsParametric = "module-is-parametric";
    ScopeViolation = "scope-violation";
    LiteralOutOfBounds = "literal-out-of-bounds";
    AmbiguousType = "ambiguous-type";
    MayNotBeRedefined = "may-not-be-redefined";
    UnmatchedCases = "unmatched-cases";
    RefutablePattern = "refutable-pattern";
    RecordTypeNotKnown = "record-type-not-known";
    OccursCheck = "occurs-check";
    NestedEntry = "nested-entry";
    PolymorphicEntry = "polymorphic-entry";
    HigherOrderEntry = "higher-order-entry";
    SizePolymorphicEntry = "size-polymorphic-entry";
    NonconstructiveEntry = "nonconstructive-entry";
}
