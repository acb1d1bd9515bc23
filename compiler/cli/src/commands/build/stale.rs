//! The files that an earlier `ravel build` left in a folder: those that the folder's manifest names.
//!
//! Only names that `ravel build` could have chosen are taken from the manifest, so that a manifest cannot cause the removal
//! of other files.

use std::path::Path;

use serde_json::Value;

/// The keys of file names in a manifest.
const KEYS: [&str; 4] = ["wgsl", "spirv", "clif", "object"];

/// The extensions of the files.
const EXTENSIONS: [&str; 4] = ["wgsl", "spv", "clif", "o"];

/// The files that a manifest names; none if it is not a manifest of Ravel.
pub fn files(manifest: &[u8]) -> Vec<String> {
    let Ok(manifest) = serde_json::from_slice::<Value>(manifest) else { return Vec::new() };
    if !manifest["ravel"].is_string() {
        return Vec::new();
    }
    let code = &manifest["code"];
    let kernels = code["kernels"].as_array().into_iter().flatten();
    let named = kernels.chain([code]).flat_map(|code| KEYS.iter().filter_map(|key| code[key].as_str()));
    named.filter(|name| is_built(name)).map(str::to_owned).collect()
}

/// Whether `ravel build` could have given a file this name. It has no folder.
fn is_built(name: &str) -> bool {
    let file = Path::new(name);
    let known = |extension: &std::ffi::OsStr| EXTENSIONS.iter().any(|known| extension == *known);
    file.file_name().is_some_and(|last| last == name) && file.extension().is_some_and(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_built_files_in_the_folder_itself_are_stale() {
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
