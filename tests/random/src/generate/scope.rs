//! The scope at a statement: the scalars, sizes and arrays that it may use, and the memory of the arrays.

use std::collections::{BTreeMap, BTreeSet};

use ravel_core::*;
use ravel_prim::PrimType;

use super::Writer;

/// Regions of memory. A region is named after the array that was created in it.
pub type Regions = BTreeSet<Var>;

/// A size of arrays.
#[derive(Clone, Copy)]
pub struct Size {
    pub atom: Atom,
    /// Whether it is at least 1.
    pub positive: bool,
}

/// The scope of the body that is being written.
#[derive(Clone, Default)]
pub struct Scope {
    /// The types of most values. The fewer there are, the more often statements use each other's results.
    pub palette: Vec<PrimType>,
    pub scalars: Vec<Atom>,
    pub sizes: Vec<Size>,
    /// The sizes that are products of other sizes.
    pub products: Vec<Atom>,
    /// Numbers that are at least 0, each with an exclusive upper bound.
    pub counters: Vec<(Atom, Atom)>,
    pub arrays: Vec<Var>,
    /// The last arrays of chains, which are dead code unless a result uses them.
    pub chain_ends: Vec<Var>,
    /// The regions whose arrays this body may consume.
    pub consumable: Regions,
    /// Expressions without bodies that may be repeated, with their types.
    pub repeatable: Vec<(Exp, Type)>,
}

/// The memory of the arrays of a function.
#[derive(Default)]
pub struct Memory {
    /// The regions in which each array may lie.
    regions: BTreeMap<Var, Regions>,
    /// The regions whose arrays have been consumed.
    pub consumed: Regions,
}

impl Writer {
    /// The types that a function uses: i32, i64 and some others.
    pub fn palette(&mut self) -> Vec<PrimType> {
        let mut palette = vec![PrimType::I32, PrimType::I64];
        let options = self.options;
        let all: Vec<PrimType> =
            PrimType::ALL.into_iter().filter(|ty| !(options.exact && ty.is_float())).collect();
        for _ in 0..self.choices.below(3) {
            palette.push(self.choices.any(&all));
        }
        palette
    }

    pub fn prim(&mut self) -> PrimType {
        self.choices.any(&self.scope.palette.clone())
    }

    pub fn size(&mut self) -> Size {
        let constant = Size { atom: Atom::i64(3), positive: true };
        if self.choices.once_in(8) { constant } else { self.choices.recent(&self.scope.sizes.clone()) }
    }

    /// Whether a dimension of this size certainly has an element.
    pub fn is_positive(&self, size: Atom) -> bool {
        let known = |known: &&Size| known.atom == size && known.positive;
        matches!(size, Atom::Const(value) if value.as_i64() > Some(0))
            || self.scope.sizes.iter().any(|size| known(&size))
    }

    /// Writes a pure expression with one result, which may be repeated later.
    pub fn pure(&mut self, ty: Type, exp: Exp) -> Atom {
        self.scope.repeatable.push((exp.clone(), ty.clone()));
        let atom = self.b.bind(ty, exp);
        if self.b.type_of(atom).is_scalar() {
            self.scope.scalars.push(atom);
        }
        atom
    }

    /// The regions in which an array may lie.
    pub fn regions_of(&self, array: Var) -> Regions {
        self.memory.regions.get(&array).cloned().unwrap_or_default()
    }

    pub fn is_alive(&self, array: Var) -> bool {
        self.memory.regions.get(&array).is_some_and(|regions| regions.is_disjoint(&self.memory.consumed))
    }

    /// The live arrays in scope for which the condition holds.
    pub fn arrays_where(&self, wanted: impl Fn(&Type) -> bool) -> Vec<Var> {
        let fits = |array: &Var| self.is_alive(*array) && wanted(&self.b.vars()[*array].ty);
        self.scope.arrays.iter().copied().filter(fits).collect()
    }

    pub fn array_where(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Var> {
        let fitting = self.arrays_where(wanted);
        (!fitting.is_empty()).then(|| self.choices.recent(&fitting))
    }

    pub fn pick_array(&mut self) -> Var {
        match self.array_where(|_| true) {
            Some(array) => array,
            None => {
                let (size, elem) = (self.size(), self.prim());
                self.make_array(&Type::scalar(elem).array_of(size.atom))
            }
        }
    }

    /// An array for a result, usually the last one of a chain.
    pub fn pick_chain_end(&mut self) -> Var {
        let chain_ends: Vec<Var> =
            self.scope.chain_ends.iter().copied().filter(|&end| self.is_alive(end)).collect();
        if chain_ends.is_empty() || self.choices.once_in(3) {
            self.pick_array()
        } else {
            self.choices.any(&chain_ends)
        }
    }

    /// An array of this type: one in scope, or a new one.
    pub fn array_of(&mut self, ty: &Type) -> Var {
        match self.array_where(|known| known == ty) {
            Some(array) if !self.choices.once_in(8) => array,
            _ => self.make_array(ty),
        }
    }

    /// Consumes an array for which the condition holds, if this body may consume one.
    pub fn consume(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Var> {
        let mut own = self.arrays_where(wanted);
        own.retain(|&array| self.regions_of(array).is_subset(&self.scope.consumable));
        if own.is_empty() {
            return None;
        }
        let array = self.choices.recent(&own);
        let regions = self.regions_of(array);
        self.memory.consumed.extend(regions);
        Some(array)
    }

    /// Adds an array with memory of its own to the scope.
    pub fn add_fresh_array(&mut self, array: Var) {
        self.scope.consumable.insert(array);
        self.add_array(array, Regions::from([array]));
    }

    /// Adds an array that lies in these regions to the scope.
    pub fn add_array(&mut self, array: Var, regions: Regions) {
        self.memory.regions.insert(array, regions);
        self.scope.arrays.push(array);
    }

    /// Adds a new value to the scope.
    pub fn add_value(&mut self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) if !self.b.type_of(atom).is_scalar() => self.add_fresh_array(var),
            _ => self.scope.scalars.push(atom),
        }
        atom
    }

    /// Writes a nested body. Its bindings are not in scope outside, but arrays that it consumes stay consumed.
    pub fn nested(&mut self, inside: Scope, write: impl FnOnce(&mut Writer) -> Vec<Atom>) -> Body {
        let outside = std::mem::replace(&mut self.scope, inside);
        self.b.begin();
        let result = write(self);
        self.scope = outside;
        self.b.end(result)
    }

    /// Writes a lambda with parameters of these types, which lie in these regions. A parameter without regions lies in a new
    /// one. The lambda consumes only arrays that it creates.
    pub fn lambda(
        &mut self,
        params: &[(Type, Regions)],
        write: impl FnOnce(&mut Writer, &[Atom]) -> Vec<Atom>,
    ) -> Lambda {
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let vars: Vec<Var> = params.iter().map(|(ty, _)| self.b.fresh(None, ty.clone())).collect();
        let body = self.nested(inside, |writer| {
            for (&var, (ty, regions)) in vars.iter().zip(params) {
                if ty.is_scalar() {
                    writer.scope.scalars.push(Atom::Var(var));
                } else {
                    let own = if regions.is_empty() { Regions::from([var]) } else { regions.clone() };
                    writer.add_array(var, own);
                }
            }
            let atoms: Vec<Atom> = vars.iter().copied().map(Atom::Var).collect();
            write(writer, &atoms)
        });
        Lambda { params: vars, body }
    }
}
