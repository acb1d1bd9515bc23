//! Error codes: each has a page in `docs/errors` and a program in `tests/errors` that it refuses.

use std::path::Path;

use ravel_base::Code;

use crate::tidy::{files, read};

/// The codes without a page or a test, and the pages without a code.
pub fn offences(root: &Path) -> Vec<String> {
    let snapshots: String = files(&root.join("tests/errors"), "snap").iter().map(|file| read(file)).collect();
    let pages = files(&root.join("docs/errors"), "md");
    let page_of = |code: &Code| pages.iter().any(|page| page.ends_with(format!("{}.md", code.number())));
    let lacks = |what: &str, code: &Code| format!("{}: has no {what} ({})", code.number(), code.title());
    let mut offences = Vec::new();
    for code in Code::ALL {
        if !page_of(code) {
            offences.push(lacks("page in docs/errors", code));
        }
        if !snapshots.contains(&format!("[{}]: ", code.number())) {
            offences.push(lacks("program in tests/errors", code));
        }
    }
    let known = |page: &Path| Code::ALL.iter().any(|code| page.ends_with(format!("{}.md", code.number())));
    let strays = pages.iter().filter(|page| !known(page));
    offences.extend(strays.map(|page| format!("{}: is about no error code", page.display())));
    offences
}
