//! The manifest of a program: what an embedding program needs, as JSON.
//!
//! For each entry point, it has the types of the source, by name, and the scalars and arrays that represent their values in
//! a call. For a GPU program it has the launch plan, for a CPU program the symbols of the object file; see
//! `ravel_abi::plan` and `ravel_abi::native`.

use ravel_abi::interface::{EntryTypes, Field, Form, Input, NamedType, Variant};
use ravel_abi::plan::param_layout;
use ravel_abi::{Blob, Interface, Messages, Plan, Signature, TypeNumber};
use ravel_program::{Code, CompiledProgram};
use serde_json::{Map, Value, json};

use super::emit::{CLIF, OBJECT, file_name};
use super::object::{entry_symbol, function_symbol, segment_symbol};

/// The manifest of a program.
pub fn text(program: &CompiledProgram) -> String {
    let interface = &program.interface;
    let code = match &program.code {
        Code::Cpu(blob) => cpu(blob),
        Code::Gpu(plan) => gpu(plan),
    };
    let signatures: Vec<&Signature> = match &program.code {
        Code::Cpu(blob) => blob.entries.iter().map(|entry| &entry.signature).collect(),
        Code::Gpu(plan) => plan.entries.iter().map(|entry| &entry.signature).collect(),
    };
    let types: Map<String, Value> =
        interface.types.iter().map(|ty| (ty.name.clone(), description(interface, ty))).collect();
    let entries: Vec<Value> =
        interface.entries.iter().map(|types| entry(interface, types, &signatures)).collect();
    let manifest = json!({
        "ravel": env!("CARGO_PKG_VERSION"),
        "program": program.name,
        "backend": program.code.machine().name(),
        "types": types,
        "entry_points": entries,
        "code": code,
    });
    format!("{manifest:#}\n")
}

fn name(interface: &Interface, ty: TypeNumber) -> &str {
    interface.get(ty).map_or("?", |ty| ty.name.as_str())
}

fn description(interface: &Interface, ty: &NamedType) -> Value {
    let name = |ty: TypeNumber| name(interface, ty);
    match &ty.form {
        Form::Scalar(_) => json!({ "kind": "primitive" }),
        Form::Array { rank, elem } => json!({ "kind": "array", "rank": rank, "elemtype": name(*elem) }),
        Form::Record(fields) => {
            let field = |field: &Field| json!({ "name": field.name, "type": name(field.ty) });
            json!({ "kind": "record", "fields": fields.iter().map(field).collect::<Vec<_>>() })
        }
        Form::Sum(variants) => {
            let variant = |variant: &Variant| {
                let payload: Vec<&str> = variant.payload.iter().map(|&part| name(part)).collect();
                json!({ "name": variant.name, "payload": payload })
            };
            json!({ "kind": "sum", "variants": variants.iter().map(variant).collect::<Vec<_>>() })
        }
    }
}

fn entry(interface: &Interface, types: &EntryTypes, signatures: &[&Signature]) -> Value {
    let input = |input: &Input| json!({ "name": input.name, "type": name(interface, input.ty), "consumed": input.consumed });
    let signature = signatures.iter().find(|signature| signature.name == types.name);
    let leaves = signature.map(|signature| {
        let params: Vec<String> = signature.params.iter().map(ToString::to_string).collect();
        let result = |(elem, rank): (ravel_abi::PrimType, usize)| format!("{}{elem}", "[]".repeat(rank));
        let results = signature.results.iter().map(|leaf| result((leaf.elem, leaf.rank)));
        json!({ "sizes": signature.sizes, "params": params, "results": results.collect::<Vec<_>>() })
    });
    let tuning = signature.map(|signature| &signature.tuning_params);
    json!({
        "name": types.name,
        "attributes": types.attributes,
        "inputs": types.inputs.iter().map(input).collect::<Vec<_>>(),
        "output": { "type": name(interface, types.output.ty), "unique": types.output.unique },
        "leaves": leaves,
        "tuning_params": tuning,
    })
}

fn cpu(blob: &Blob) -> Value {
    let entries = blob.entries.iter().map(|entry| entry_symbol(&entry.signature.name));
    json!({
        "architecture": std::env::consts::ARCH,
        "features": blob.features,
        "bytes": blob.code.len(),
        "clif": CLIF,
        "object": OBJECT,
        "entries": entries.collect::<Vec<_>>(),
        "functions": (0..blob.functions.len()).map(function_symbol).collect::<Vec<_>>(),
        "segments": (0..blob.segments.len()).map(segment_symbol).collect::<Vec<_>>(),
        "messages": messages(&blob.messages),
    })
}

fn gpu(plan: &Plan) -> Value {
    let kernels = plan.kernels.iter().enumerate().map(|(number, kernel)| {
        let (offsets, bytes) = param_layout(&kernel.params);
        let params = kernel.params.iter().zip(offsets);
        let params = params.map(|(ty, offset)| json!({ "type": ty.name(), "offset": offset }));
        let bindings = kernel.bindings.iter();
        let bindings = bindings.map(|block| json!({ "elem": block.elem.name(), "written": block.written }));
        json!({
            "name": kernel.name,
            "wgsl": file_name(number, kernel, "wgsl"),
            "spirv": file_name(number, kernel, "spv"),
            "workgroup": kernel.workgroup,
            "blocks": bindings.collect::<Vec<_>>(),
            "params": params.collect::<Vec<_>>(),
            "param_bytes": bytes,
            "needs_i64": kernel.needs_i64,
            "needs_f64": kernel.needs_f64,
        })
    });
    json!({ "kernels": kernels.collect::<Vec<_>>(), "host_programs": plan.entries, "messages": messages(&plan.messages) })
}

fn messages(messages: &Messages) -> Value {
    messages.iter().map(|(parts, places)| json!({ "parts": parts, "backtrace": places })).collect()
}
