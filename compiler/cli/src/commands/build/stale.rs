//! The stale parts of an earlier program in a folder: the files that the folder's manifest names.
//!
//! Only names that a part could have are taken from the manifest, so that a manifest cannot cause the removal of other files.

use std::path::Path;

use serde_json::Value;

/// The keys of file names in a manifest.
const KEYS: [&str; 4] = ["wgsl", "spirv", "clif", "object"];

/// The extensions of parts.
const EXTENSIONS: [&str; 4] = ["wgsl", "spv", "clif", "o"];

/// The parts that a manifest names; none if it is not a manifest of Ravel.
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

/// Whether this is the file name of a part, without a folder.
fn is_part(name: &str) -> bool {
    let file = Path::new(name);
    let known = |extension: &std::ffi::OsStr| EXTENSIONS.iter().any(|known| extension == *known);
    file.file_name().is_some_and(|last| last == name) && file.extension().is_some_and(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_in_the_folder_itself_are_stale() {
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
