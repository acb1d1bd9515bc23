//! Prints modules and module types.

use super::ty::{ARROW, TERM};
use super::{Printer, lift};
use crate::ast::*;

// The levels of precedence: a position states the least level of what may stand there without parentheses.

/// Any module, any module type.
pub(super) const ANY: u8 = 0;
/// What may stand before a `:`, `with` or `->`.
const HEAD: u8 = 1;
/// What may stand as the function of an application.
const APPLIED: u8 = 2;
/// A name, or a structure in braces.
const ATOM: u8 = 3;

impl Printer {
    pub(super) fn module_dec(&mut self, dec: &ModuleDec) {
        self.put(format!("module {}", dec.name.node));
        for param in &dec.params {
            self.put(" ");
            self.module_param(param);
        }
        if let Some(signature) = &dec.signature {
            self.put(": ");
            self.module_type(signature, ANY);
        }
        self.put(" = ");
        self.module(&dec.body, ANY);
    }

    fn module_param(&mut self, param: &ModuleParam) {
        self.put(format!("({}: ", param.name.node));
        self.module_type(&param.signature, ANY);
        self.put(")");
    }

    pub(super) fn module(&mut self, module: &ModuleExp, least: u8) {
        let level = match module {
            ModuleExp::Lambda(..) => ANY,
            ModuleExp::Ascribed(..) | ModuleExp::Import(..) => HEAD,
            ModuleExp::Apply(..) => APPLIED,
            ModuleExp::Name(_) | ModuleExp::Structure(..) => ATOM,
        };
        self.parens(level < least, |p| p.module_node(module));
    }

    fn module_node(&mut self, module: &ModuleExp) {
        match module {
            ModuleExp::Name(name) => self.put(name.to_string()),
            ModuleExp::Ascribed(module, ty) => {
                self.module(module, HEAD);
                self.put(" : ");
                self.module_type(ty, ANY);
            }
            ModuleExp::Lambda(param, result, body, _) => {
                self.put("\\");
                self.module_param(param);
                if let Some(result) = result {
                    self.put(": ");
                    self.module_type(result, ATOM);
                }
                self.put(" -> ");
                self.module(body, ANY);
            }
            ModuleExp::Apply(function, arg, _) => {
                self.module(function, APPLIED);
                self.put(" ");
                self.module(arg, ATOM);
            }
            ModuleExp::Structure(decs, _) => {
                self.put("{");
                self.indented(|p| {
                    if !decs.is_empty() {
                        p.line();
                    }
                    p.decs(decs, "\n");
                });
                self.line();
                self.put("}");
            }
            ModuleExp::Import(file, _) => self.put(format!("import {}", super::exp::quoted(file))),
        }
    }

    /// Prints a module type. A signature in braces needs parentheses as the result type of a module lambda only.
    pub(super) fn module_type(&mut self, ty: &ModuleTypeExp, least: u8) {
        let level = match ty {
            ModuleTypeExp::Arrow(..) => ANY,
            ModuleTypeExp::With(..) | ModuleTypeExp::Signature(..) => HEAD,
            ModuleTypeExp::Name(_) => ATOM,
        };
        self.parens(level < least, |p| p.module_type_node(ty));
    }

    fn module_type_node(&mut self, module_type: &ModuleTypeExp) {
        match module_type {
            ModuleTypeExp::Name(name) => self.put(name.to_string()),
            ModuleTypeExp::Signature(specs, _) => {
                self.put("{");
                self.indented(|p| {
                    for spec in specs {
                        p.line();
                        p.spec(spec);
                    }
                });
                self.line();
                self.put("}");
            }
            ModuleTypeExp::With(base, name, params, refined, _) => {
                self.module_type(base, HEAD);
                self.put(format!(" with {name}"));
                self.type_params(params);
                self.put(" = ");
                self.ty(refined, TERM);
            }
            ModuleTypeExp::Arrow(name, from, to, _) => {
                match name {
                    Some(name) => {
                        self.put(format!("({}: ", name.node));
                        self.module_type(from, ANY);
                        self.put(")");
                    }
                    None => self.module_type(from, HEAD),
                }
                self.put(" -> ");
                self.module_type(to, ANY);
            }
        }
    }

    fn spec(&mut self, spec: &Spec) {
        self.doc(spec.doc());
        self.spec_without_doc(spec);
    }

    fn spec_without_doc(&mut self, spec: &Spec) {
        match spec {
            Spec::Value { attributes, name, type_params, ty, .. } => {
                for attribute in attributes {
                    self.attribute_brackets(attribute);
                    self.put(" ");
                }
                self.put("val ");
                self.binder(name.node.as_str());
                self.type_params(type_params);
                self.put(": ");
                self.ty(ty, ARROW);
            }
            Spec::Type(dec) => self.type_dec(dec),
            Spec::AbstractType { liftedness, name, params, .. } => {
                self.put(format!("type{} {}", lift(*liftedness), name.node));
                self.type_params(params);
            }
            Spec::Module(name, ty) => {
                self.put(format!("module {}: ", name.node));
                self.module_type(ty, ANY);
            }
            Spec::Include(ty) => {
                self.put("include ");
                self.module_type(ty, ANY);
            }
            Spec::Attributed(attribute, spec) => {
                self.attribute_brackets(attribute);
                self.put(" ");
                self.spec_without_doc(spec);
            }
        }
    }
}
