//! The programs of the guide, tested as a reader would.

use crate::support::Folder;

const GUIDE: &str = include_str!("../../../../docs/guide.md");

#[test]
fn the_programs_of_the_guide_pass_their_tests() {
    let blocks = GUIDE.split("```ravel\n").skip(1).filter_map(|rest| rest.split_once("```"));
    let programs: Vec<&str> = blocks.map(|(program, _)| program).collect();
    assert!(programs.len() > 10, "the guide has lost its programs");
    for program in programs {
        let folder = Folder::new("guide").with("program.dsl", program);
        let outcome = folder.ravel(&["test", "--backend", "interp,cpu", "program.dsl"], "");
        assert_eq!(outcome.code, Some(0), "{program}\n{}{}", outcome.text(), outcome.err);
        assert!(!outcome.text().starts_with("0 passed"), "nothing is tested of {program}");
    }
}
