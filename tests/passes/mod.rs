//! Pass tests: `PASS/CASE.core` goes through the pass; the snapshot is what the rules did, and
//! the core IR behind them. Where a case shows a premise that does not hold, nothing fires.

use ravel_driver::{Options, Source, dev, passes_named};

use crate::books;

#[test]
fn every_pass_does_what_its_cases_show() {
    ravel_driver::on_large_stack(|| {
        for case in books::cases("passes", "core") {
            let folder = case.parent().expect("a folder");
            let pass = folder.file_name().expect("named for its pass").to_string_lossy().into_owned();
            let passes = passes_named(std::slice::from_ref(&pass)).expect("a pass of the folder's name");
            let options = Options { passes: Some(passes), ..Options::default() };
            let source = Source::new(books::name(&case), books::text(&case));
            let mut report = String::new();
            let core = dev::resumed(&source, &options, dev::Machine::Cpu, &mut |done| {
                report.push_str(&dev::events(&done));
            });
            let core = core.unwrap_or_else(|wrong| panic!("{}: {:?}", books::name(&case), wrong.diagnostics));
            books::check(&case, &format!("{report}\n{}", dev::core_text(&core)));
        }
    });
}
