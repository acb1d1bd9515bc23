//! The programs of the guide and of the language page, tested as a reader would.

use crate::support::Folder;

/// The pages, each with the least number of programs that it must have.
const PAGES: [(&str, &str, usize); 2] = [
    ("guide", include_str!("../../../../docs/guide.md"), 11),
    ("language", include_str!("../../../../docs/language.md"), 8),
];

#[test]
fn the_programs_of_the_pages_pass_their_tests() {
    for (page, text, least) in PAGES {
        let blocks = text.split("```ravel\n").skip(1).filter_map(|rest| rest.split_once("```"));
        let programs: Vec<&str> = blocks.map(|(program, _)| program).collect();
        assert!(programs.len() >= least, "{page} has lost its programs");
        for program in programs {
            let folder = Folder::new(page).with("program.dsl", program);
            let outcome =
                folder.ravel(&["test", "--no-limitations", "--backend", "interp,cpu", "program.dsl"], "");
            assert_eq!(outcome.code, Some(0), "{program}\n{}{}", outcome.text(), outcome.err);
            assert!(!outcome.text().starts_with("0 passed"), "nothing is tested of {program}");
        }
    }
}
