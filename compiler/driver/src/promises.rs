//! The promises of a program's definitions, such as stated recurrences, as entry points that tests can call.
//!
//! The checker turns each promise into a definition that returns the two values that must agree. Here it becomes an entry
//! point. A polymorphic promise becomes one entry point for each of [`TYPES`]. A promise that takes functions is not tested.

use ravel_base::Symbol;
use ravel_core::Program as CoreProgram;
use ravel_prim::PrimType;
use ravel_types::instance;
use ravel_types::tast::{Definition, Type, ValueId};

use crate::source::{Problems, Source};
use crate::stages;

/// The types at which polymorphic promises are tested; all type parameters get the same type.
const TYPES: [PrimType; 4] = [PrimType::I32, PrimType::I64, PrimType::F64, PrimType::Bool];

/// The promises of a program.
pub struct Promises {
    /// An entry point for each testable promise: the first half of its results must equal the second.
    pub program: CoreProgram,
    /// The testable promises.
    pub promises: Vec<Promise>,
    /// Messages about the promises that cannot be tested.
    pub untested: Vec<String>,
}

/// A testable promise.
pub struct Promise {
    /// The name of the entry point.
    pub entry: String,
    /// Its definition, with the type for a polymorphic one.
    pub about: String,
    /// Its place in the source.
    pub place: String,
}

/// The promises of a program.
///
/// # Errors
/// Errors in the program, or limitations of lowering.
pub fn promises(source: &Source) -> Result<Promises, Problems> {
    let (mut typed, _) = stages::typed_program(source)?;
    let (mut promises, mut untested, mut instances) = (Vec::new(), Vec::new(), Vec::new());
    for definition in &mut typed.definitions {
        definition.entry = false;
        if !definition.promise {
            continue;
        }
        let (name, place) = (definition.name, source.sources().describe(definition.span));
        let function = &definition.function;
        let mut types = function.params.iter().map(|param| &param.pattern.ty).chain([&function.result]);
        if types.any(Type::has_function) {
            untested
                .push(format!("{place}: the recurrence of `{name}` takes functions, so it was not tested"));
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
            // The checker numbers values from 0, so these ids are free.
            let id = ValueId(u32::MAX - promises.len() as u32);
            let name = Symbol::new(&entry);
            instances.push(Definition { id, name, entry: true, function, ..definition.clone() });
            promises.push(Promise { entry, about, place: place.clone() });
        }
    }
    typed.definitions.extend(instances);
    let program = if promises.is_empty() { CoreProgram::default() } else { stages::lower(source, &typed)?.0 };
    Ok(Promises { program, promises, untested })
}
