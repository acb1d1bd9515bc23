//! What an earlier program left in a folder: the files that the folder's own manifest names.
//!
//! A manifest is taken at its word only as far as the files could be parts that were written beside it. So no file
//! goes that a user put there by another name, whatever the manifest says.

use std::path::Path;

use serde_json::Value;

/// The names under which a manifest gives files.
const KEYS: [&str; 4] = ["wgsl", "spirv", "clif", "object"];

/// How such files end.
const EXTENSIONS: [&str; 4] = ["wgsl", "spv", "clif", "o"];

/// The files that a manifest names; none if it is no manifest of ours.
pub fn files(manifest: &[u8]) -> Vec<String> {
    let Ok(manifest) = serde_json::from_slice::<Value>(manifest) else { return Vec::new() };
    if !manifest["ravel"].is_string() {
        return Vec::new();
    }
    let code = &manifest["code"];
    let kernels = code["kernels"].as_array().into_iter().flatten();
    let named = kernels.chain([code]).flat_map(|part| KEYS.iter().filter_map(|key| part[key].as_str()));
    named.filter(|name| is_part(name)).map(str::to_owned).collect()
}

/// Is this the name of a part, in the folder itself?
fn is_part(name: &str) -> bool {
    let file = Path::new(name);
    let known = |extension: &std::ffi::OsStr| EXTENSIONS.iter().any(|known| extension == *known);
    file.file_name().is_some_and(|last| last == name) && file.extension().is_some_and(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_parts_of_its_own_folder_alone() {
        let gpu = br#"{ "ravel": "1", "code": { "kernels": [
            { "wgsl": "0-map.wgsl", "spirv": "0-map.spv", "name": "map.o" },
            { "wgsl": "../0-map.wgsl", "spirv": "/0-map.spv" }, { "wgsl": "a.dsl", "spirv": 7 },
            { "wgsl": "below/0.wgsl", "spirv": ".spv" }, { "wgsl": "..", "spirv": "" }, 3 ] } }"#;
        assert_eq!(files(gpu), ["0-map.wgsl", "0-map.spv"]);
        let cpu = br#"{ "ravel": "1", "code": { "clif": "program.clif", "object": "program.o" } }"#;
        assert_eq!(files(cpu), ["program.clif", "program.o"]);
        for other in
            [&br#"{ "code": { "object": "program.o" } }"#[..], b"[]", b"", b"{", br#"{ "ravel": "1" }"#]
        {
            assert!(files(other).is_empty());
        }
    }
}
