//! Stage books: the way of a program through the compiler, one page a stage.

use ravel_driver::{Source, Style, dev, render};

use crate::books;

#[test]
fn every_stage_reads_as_it_should() {
    ravel_driver::on_large_stack(|| {
        for case in books::cases("stages", "dsl") {
            let source = Source::new(books::name(&case), books::text(&case));
            match dev::book(&source) {
                Ok(book) => books::check(&case, &book),
                Err(problems) => panic!(
                    "{}:\n{}",
                    books::name(&case),
                    render(&problems.sources, &problems.diagnostics, Style::Plain)
                ),
            }
        }
    });
}
