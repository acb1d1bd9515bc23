//! What can be used where a statement is written: scalars, sizes, arrays, and whose memory they are.

use std::collections::{BTreeMap, BTreeSet};

use ravel_core::*;
use ravel_prim::PrimType;

use super::Writer;

/// Pieces of memory, named after the arrays that were made there.
pub type Places = BTreeSet<Var>;

/// A size of arrays.
#[derive(Clone, Copy)]
pub struct Size {
    pub atom: Atom,
    /// Whether it is at least 1.
    pub positive: bool,
}

/// What can be used in the body that is being written.
#[derive(Clone, Default)]
pub struct Known {
    /// The types of most values; the more they differ, the less they have to do with each other.
    pub palette: Vec<PrimType>,
    pub scalars: Vec<Atom>,
    pub sizes: Vec<Size>,
    /// The sizes that are products of others.
    pub products: Vec<Atom>,
    /// Numbers that are at least 0, with what they are below.
    pub counters: Vec<(Atom, Atom)>,
    pub arrays: Vec<Var>,
    /// The arrays in which chains end: for nothing, if no result hangs on them.
    pub ends: Vec<Var>,
    /// The places that this body may consume.
    pub own: Places,
    /// Expressions without bodies that can be written again, with their types.
    pub repeatable: Vec<(Exp, Type)>,
}

/// Where the arrays of a function lie.
#[derive(Default)]
pub struct Memory {
    places: BTreeMap<Var, Places>,
    /// The places that have been consumed.
    pub dead: Places,
}

impl Writer {
    /// The types of a function: some that are everywhere, and others.
    pub fn palette(&mut self) -> Vec<PrimType> {
        let mut palette = vec![PrimType::I32, PrimType::I64];
        let wishes = self.wishes;
        let all: Vec<PrimType> =
            PrimType::ALL.into_iter().filter(|ty| !(wishes.exact && ty.is_float())).collect();
        for _ in 0..self.choices.below(3) {
            palette.push(self.choices.any(&all));
        }
        palette
    }

    pub fn prim(&mut self) -> PrimType {
        self.choices.any(&self.known.palette.clone())
    }

    pub fn size(&mut self) -> Size {
        let constant = Size { atom: Atom::i64(3), positive: true };
        if self.choices.once_in(8) { constant } else { self.choices.of(&self.known.sizes.clone()) }
    }

    /// Whether there is surely an element in a dimension of this size.
    pub fn is_positive(&self, size: Atom) -> bool {
        let known = |known: &&Size| known.atom == size && known.positive;
        matches!(size, Atom::Const(value) if value.as_i64() > Some(0))
            || self.known.sizes.iter().any(|size| known(&size))
    }

    /// Writes an expression of one value that is pure, so that it can be repeated.
    pub fn pure(&mut self, ty: Type, exp: Exp) -> Atom {
        self.known.repeatable.push((exp.clone(), ty.clone()));
        let atom = self.b.bind(ty, exp);
        if self.b.type_of(atom).is_scalar() {
            self.known.scalars.push(atom);
        }
        atom
    }

    pub fn places_of(&self, array: Var) -> Places {
        self.memory.places.get(&array).cloned().unwrap_or_default()
    }

    pub fn is_alive(&self, array: Var) -> bool {
        self.memory.places.get(&array).is_some_and(|places| places.is_disjoint(&self.memory.dead))
    }

    /// The arrays that can be used and for which the condition holds.
    pub fn arrays_where(&self, wanted: impl Fn(&Type) -> bool) -> Vec<Var> {
        let fits = |array: &Var| self.is_alive(*array) && wanted(&self.b.vars()[*array].ty);
        self.known.arrays.iter().copied().filter(fits).collect()
    }

    pub fn array_where(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Var> {
        let fitting = self.arrays_where(wanted);
        (!fitting.is_empty()).then(|| self.choices.of(&fitting))
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

    /// An array for a result: mostly one in which a chain ends.
    pub fn pick_end(&mut self) -> Var {
        let ends: Vec<Var> = self.known.ends.iter().copied().filter(|&end| self.is_alive(end)).collect();
        if ends.is_empty() || self.choices.once_in(3) { self.pick_array() } else { self.choices.any(&ends) }
    }

    /// An array of this type: one that there is, or a new one.
    pub fn array_of(&mut self, ty: &Type) -> Var {
        match self.array_where(|known| known == ty) {
            Some(array) if !self.choices.once_in(8) => array,
            _ => self.make_array(ty),
        }
    }

    /// An array that this body may consume and for which the condition holds; it is consumed.
    pub fn consume(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<Var> {
        let mut own = self.arrays_where(wanted);
        own.retain(|&array| self.places_of(array).is_subset(&self.known.own));
        if own.is_empty() {
            return None;
        }
        let array = self.choices.of(&own);
        let places = self.places_of(array);
        self.memory.dead.extend(places);
        Some(array)
    }

    /// Makes an array known that lies in memory of its own.
    pub fn lies_alone(&mut self, array: Var) {
        self.known.own.insert(array);
        self.lies_in(array, Places::from([array]));
    }

    /// Makes an array known that lies in these places.
    pub fn lies_in(&mut self, array: Var, places: Places) {
        self.memory.places.insert(array, places);
        self.known.arrays.push(array);
    }

    /// Makes a new value known.
    pub fn made(&mut self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) if !self.b.type_of(atom).is_scalar() => self.lies_alone(var),
            _ => self.known.scalars.push(atom),
        }
        atom
    }

    /// Writes a nested body. What is known inside is not known outside; what is consumed inside stays
    /// consumed.
    pub fn nested(&mut self, inside: Known, write: impl FnOnce(&mut Writer) -> Vec<Atom>) -> Body {
        let outside = std::mem::replace(&mut self.known, inside);
        self.b.begin();
        let result = write(self);
        self.known = outside;
        self.b.end(result)
    }

    /// Writes a lambda with parameters of these types; an array parameter lies in the places given
    /// with it. It consumes nothing that it does not make.
    pub fn lambda(
        &mut self,
        params: &[(Type, Places)],
        write: impl FnOnce(&mut Writer, &[Atom]) -> Vec<Atom>,
    ) -> Lambda {
        let inside = Known { own: Places::new(), ..self.known.clone() };
        let vars: Vec<Var> = params.iter().map(|(ty, _)| self.b.fresh(None, ty.clone())).collect();
        let body = self.nested(inside, |writer| {
            for (&var, (ty, places)) in vars.iter().zip(params) {
                if ty.is_scalar() {
                    writer.known.scalars.push(Atom::Var(var));
                } else {
                    let own = if places.is_empty() { Places::from([var]) } else { places.clone() };
                    writer.lies_in(var, own);
                }
            }
            let atoms: Vec<Atom> = vars.iter().copied().map(Atom::Var).collect();
            write(writer, &atoms)
        });
        Lambda { params: vars, body }
    }
}
