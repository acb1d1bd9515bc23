//! What the definitions of a program promise of themselves, made into something that can be called.
//!
//! The checker makes each promise a definition that gives both values which must agree. Here it becomes
//! an entry point: of a polymorphic one several, for some types each; of one that takes functions none.

use ravel_base::Symbol;
use ravel_core::Program as CoreProgram;
use ravel_prim::PrimType;
use ravel_types::instance;
use ravel_types::tast::{Definition, Type, ValueId};

use crate::source::{Problems, Source};
use crate::stages;

/// The types for which polymorphic promises are tried, one for all type parameters at once.
const TYPES: [PrimType; 4] = [PrimType::I32, PrimType::I64, PrimType::F64, PrimType::Bool];

/// What the definitions of a program promise of themselves.
pub struct Promises {
    /// An entry point for each that can be called: the first half of its results agrees with the second.
    pub program: CoreProgram,
    /// Those entry points.
    pub promises: Vec<Promise>,
    /// What is said of those that cannot.
    pub untried: Vec<String>,
}

/// A promise that can be called.
pub struct Promise {
    /// The name of the entry point.
    pub entry: String,
    /// What it is a promise of: a definition, perhaps at a type.
    pub about: String,
    /// Where it is written.
    pub place: String,
}

/// The promises of a program.
///
/// # Errors
/// What is wrong with the program, or what lowering cannot do.
pub fn promises(source: &Source) -> Result<Promises, Problems> {
    let (mut typed, _) = stages::typed(source)?;
    let (mut promises, mut untried, mut instances) = (Vec::new(), Vec::new(), Vec::new());
    for definition in &mut typed.definitions {
        definition.entry = false;
        if !definition.promise {
            continue;
        }
        let (name, place) = (definition.name, source.sources().describe(definition.span));
        let function = &definition.function;
        let mut types = function.params.iter().map(|param| &param.pattern.ty).chain([&function.result]);
        if types.any(Type::has_function) {
            untried.push(format!("{place}: the recurrence of `{name}` takes functions, so it was not tried"));
            continue;
        }
        let forms = match function.type_params.len() {
            0 => vec![(definition.function.clone(), format!("`{name}`"))],
            count => TYPES
                .map(|ty| (instance(function, &vec![Type::Prim(ty); count]), format!("`{name}` for {ty}")))
                .into(),
        };
        for (function, about) in forms {
            let entry = format!("promise {}", promises.len() + 1);
            // No name of the program has such a number.
            let id = ValueId(u32::MAX - promises.len() as u32);
            let name = Symbol::new(&entry);
            instances.push(Definition { id, name, entry: true, function, ..definition.clone() });
            promises.push(Promise { entry, about, place: place.clone() });
        }
    }
    typed.definitions.extend(instances);
    let program = if promises.is_empty() { CoreProgram::default() } else { stages::lower(source, &typed)? };
    Ok(Promises { program, promises, untried })
}
