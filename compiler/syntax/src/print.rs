//! The printer: parsing the printed text gives the same tree again, except for spans.
//!
//! Parentheses are put where the grammar needs them and nowhere else. Each `let` and each `case`
//! is on its own line; everything else stays on one line.

mod exp;
mod module;
mod ty;

use crate::ast::*;

/// The text of a program.
pub fn program(program: &Program) -> String {
    let mut printer = Printer::default();
    printer.decs(&program.decs, "\n\n");
    if !printer.text.is_empty() {
        printer.text.push('\n');
    }
    printer.text
}

/// The text of an expression.
pub fn expression(exp: &Exp) -> String {
    let mut printer = Printer::default();
    printer.exp(exp, exp::OPEN);
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
    /// The number of blanks at the beginning of a new line.
    indentation: usize,
}

impl Printer {
    fn put(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', self.indentation));
    }

    /// Runs `print`, and indents every new line that it starts by two columns.
    fn indented(&mut self, print: impl FnOnce(&mut Printer)) {
        self.indentation += 2;
        print(self);
        self.indentation -= 2;
    }

    fn parens(&mut self, needed: bool, print: impl FnOnce(&mut Printer)) {
        if needed {
            self.put("(");
        }
        print(self);
        if needed {
            self.put(")");
        }
    }

    fn separated<T>(&mut self, items: &[T], separator: &str, mut print: impl FnMut(&mut Printer, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            print(self, item);
        }
    }

    /// Prints a name where it is bound; an operator is put in parentheses.
    fn binder(&mut self, name: &str) {
        self.parens(is_operator(name), |p| p.put(name));
    }

    fn decs(&mut self, decs: &[Dec], between: &str) {
        let mut first = true;
        for dec in decs.iter().filter(|dec| !matches!(dec, Dec::Error(_))) {
            if !first {
                self.put(&between[1..]);
                self.line();
            }
            first = false;
            self.dec(dec);
        }
    }

    fn dec(&mut self, dec: &Dec) {
        self.doc(dec.doc());
        self.dec_without_doc(dec);
    }

    fn dec_without_doc(&mut self, dec: &Dec) {
        match dec {
            Dec::Value(dec) => self.value_dec(dec),
            Dec::Type(dec) => self.type_dec(dec),
            Dec::Module(dec) => self.module_dec(dec),
            Dec::ModuleType(dec) => {
                self.put(format!("module type {} = ", dec.name.node));
                self.module_type(&dec.body, module::ANY);
            }
            Dec::Open(module, _) => {
                self.put("open ");
                self.module(module, module::ANY);
            }
            Dec::Import(file, _) => self.put(format!("import {}", exp::quoted(file))),
            Dec::Local(dec, _) => {
                self.put("local ");
                self.dec_without_doc(dec);
            }
            Dec::Attributed(attribute, dec, _) => {
                self.attribute_brackets(attribute);
                self.line();
                self.dec_without_doc(dec);
            }
            Dec::Error(_) => {}
        }
    }

    fn doc(&mut self, doc: Option<&str>) {
        let Some(doc) = doc else { return };
        for (index, line) in doc.split('\n').enumerate() {
            self.put(format!("{} {line}", if index == 0 { "-- |" } else { "--" }).trim_end());
            self.line();
        }
    }

    fn attribute(&mut self, attribute: &Attribute) {
        match &attribute.node {
            AttributeNode::Word(word) => self.put(word.as_str()),
            AttributeNode::Number(number) => self.put(number.to_string()),
            AttributeNode::Variable(name) => self.put(format!("${name}")),
            AttributeNode::Call(word, args) => {
                self.put(format!("{word}("));
                self.separated(args, ", ", Printer::attribute);
                self.put(")");
            }
        }
    }

    fn attribute_brackets(&mut self, attribute: &Attribute) {
        self.put("#[");
        self.attribute(attribute);
        self.put("]");
    }

    fn value_dec(&mut self, dec: &ValueDec) {
        for attribute in &dec.attributes {
            self.attribute_brackets(attribute);
            self.line();
        }
        self.put(match dec.keyword {
            Keyword::Def => "def ",
            Keyword::Let => "let ",
            Keyword::Entry => "entry ",
        });
        self.binder(dec.name.node.as_str());
        self.signature(&dec.type_params, &dec.params, dec.result.as_ref());
        self.put(" =");
        self.body(&dec.body);
    }

    /// The part of a definition between the name and the `=`.
    fn signature(&mut self, type_params: &[TypeParam], params: &[Pattern], result: Option<&TypeExp>) {
        self.type_params(type_params);
        for param in params {
            self.put(" ");
            self.pattern(param, true);
        }
        if let Some(result) = result {
            self.put(": ");
            self.ty(result, ty::ARROW);
        }
    }

    fn type_params(&mut self, type_params: &[TypeParam]) {
        for param in type_params {
            match param {
                TypeParam::Size(name) => self.put(format!(" [{}]", name.node)),
                TypeParam::Type(liftedness, name) => {
                    self.put(format!(" '{}{}", lift(*liftedness), name.node))
                }
            }
        }
    }

    fn type_dec(&mut self, dec: &TypeDec) {
        self.put(format!("type{} {}", lift(dec.liftedness), dec.name.node));
        self.type_params(&dec.params);
        self.put(" = ");
        self.ty(&dec.ty, ty::ARROW);
    }
}

fn lift(liftedness: Liftedness) -> &'static str {
    match liftedness {
        Liftedness::Unlifted => "",
        Liftedness::SizeLifted => "~",
        Liftedness::Lifted => "^",
    }
}

fn is_operator(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests;
