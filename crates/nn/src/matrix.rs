//! The matrices of BFGS, kept as what they are.
//!
//! argmin's BFGS writes its update as (I − ρ s yᵀ)·H·(I − ρ y sᵀ) + ρ s sᵀ, products of whole matrices: O(n³)
//! if they are formed. Here a matrix is a symmetric *core* (zero, the identity, or numbers) plus a few *outer
//! products*, and that form is closed under the update; [`Matrix::settle`] then works the outer products into
//! the numbers in O(n²).
//!
//! Only the algebra of that update is here. Products and sums of two full cores never occur in it; asking for one is
//! a mistake in this crate, and panics. A core is symmetric, and only its lower triangle is stored.

use std::sync::Arc;

use argmin_math::{ArgminAdd, ArgminDot, ArgminEye, ArgminMul, ArgminSub, ArgminTranspose};

use crate::vector::{Vector, add_scaled, add_scaled_and_dot, dot};

/// A symmetric matrix plus outer products, of order n.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    order: usize,
    core: Core,
    terms: Vec<Outer>,
}

#[derive(Clone, Debug)]
enum Core {
    Zero,
    Identity,
    /// The lower triangle, row after row. Shared, so that a copy of the matrix costs nothing.
    Lower(Arc<Vec<f64>>),
}

/// weight · left · rightᵀ.
#[derive(Clone, Debug)]
struct Outer {
    weight: f64,
    left: Arc<[f64]>,
    right: Arc<[f64]>,
}

/// How many numbers the lower triangle of a matrix of this order has.
pub(crate) const fn lower_length(order: usize) -> usize {
    order * (order + 1) / 2
}

impl Matrix {
    /// The symmetric matrix with this lower triangle, row after row.
    pub(crate) fn from_lower(order: usize, lower: Vec<f64>) -> Self {
        assert_eq!(lower.len(), lower_length(order), "numbers of a triangle");
        Self { order, core: Core::Lower(Arc::new(lower)), terms: Vec::new() }
    }

    pub(crate) fn is_identity(&self) -> bool {
        matches!(self.core, Core::Identity) && self.terms.is_empty()
    }

    /// The lower triangle of a settled matrix; `None` is the identity.
    pub(crate) fn lower(&self) -> Option<&[f64]> {
        debug_assert!(self.terms.is_empty(), "settled");
        match &self.core {
            Core::Lower(lower) => Some(lower),
            Core::Zero | Core::Identity => None,
        }
    }

    /// Works the outer products into the core; the matrix they make together is symmetric. Nothing is copied
    /// if no other matrix shares the core.
    pub(crate) fn settle(&mut self) {
        if self.terms.is_empty() {
            return;
        }
        let mut lower = match std::mem::replace(&mut self.core, Core::Zero) {
            Core::Zero => Arc::new(vec![0.0; lower_length(self.order)]),
            Core::Identity => Arc::new(identity(self.order)),
            Core::Lower(lower) => lower,
        };
        let mut rest = Arc::make_mut(&mut lower).as_mut_slice();
        for index in 0..self.order {
            let (row, after) = rest.split_at_mut(index + 1);
            for term in &self.terms {
                add_scaled(term.weight * term.left[index], &term.right, row);
            }
            rest = after;
        }
        self.core = Core::Lower(lower);
        self.terms.clear();
    }

    fn of_term(term: Outer) -> Self {
        Self { order: term.left.len(), core: Core::Zero, terms: vec![term] }
    }

    /// Core · x.
    fn core_times(&self, x: &[f64]) -> Vec<f64> {
        match &self.core {
            Core::Zero => vec![0.0; x.len()],
            Core::Identity => x.to_vec(),
            Core::Lower(lower) => symmetric_times(lower, x),
        }
    }
}

fn identity(order: usize) -> Vec<f64> {
    let mut lower = vec![0.0; lower_length(order)];
    for index in 0..order {
        lower[lower_length(index + 1) - 1] = 1.0;
    }
    lower
}

/// Each entry below the diagonal is read once and serves its row and its column.
fn symmetric_times(lower: &[f64], x: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    let mut rest = lower;
    for (index, &factor) in x.iter().enumerate() {
        let (row, after) = rest.split_at(index + 1);
        let (left, diagonal) = (&row[..index], row[index]);
        let sum = add_scaled_and_dot(factor, left, &x[..index], &mut product[..index]);
        product[index] = diagonal.mul_add(factor, sum);
        rest = after;
    }
    product
}

impl ArgminEye for Matrix {
    fn eye(order: usize) -> Self {
        Self { order, core: Core::Identity, terms: Vec::new() }
    }

    fn eye_like(&self) -> Self {
        Self::eye(self.order)
    }
}

impl ArgminDot<Vector, Matrix> for Vector {
    /// The outer product.
    fn dot(&self, other: &Vector) -> Matrix {
        Matrix::of_term(Outer {
            weight: 1.0,
            left: self.0.as_slice().into(),
            right: other.0.as_slice().into(),
        })
    }
}

impl ArgminDot<Vector, Vector> for Matrix {
    fn dot(&self, x: &Vector) -> Vector {
        let mut product = self.core_times(&x.0);
        for term in &self.terms {
            add_scaled(term.weight * dot(&term.right, &x.0), &term.left, &mut product);
        }
        Vector(product)
    }
}

impl ArgminDot<Self, Self> for Matrix {
    /// (A + Σ a bᵀ)(B + Σ c dᵀ) = AB + Σ (Ac) dᵀ + Σ a (Bb)ᵀ + ΣΣ (b·c) a dᵀ.
    fn dot(&self, other: &Self) -> Self {
        let core = match (&self.core, &other.core) {
            (Core::Zero, _) | (_, Core::Zero) => Core::Zero,
            (Core::Identity, core) | (core, Core::Identity) => core.clone(),
            (Core::Lower(_), Core::Lower(_)) => unreachable!("BFGS multiplies no two full matrices"),
        };
        let mut terms = Vec::new();
        if !matches!(self.core, Core::Zero) {
            terms.extend(other.terms.iter().map(|term| {
                let left = self.core_times(&term.left).into();
                Outer { left, ..term.clone() }
            }));
        }
        if !matches!(other.core, Core::Zero) {
            terms.extend(self.terms.iter().map(|term| {
                let right = other.core_times(&term.right).into();
                Outer { right, ..term.clone() }
            }));
        }
        for first in &self.terms {
            terms.extend(other.terms.iter().map(|second| Outer {
                weight: first.weight * second.weight * dot(&first.right, &second.left),
                left: first.left.clone(),
                right: second.right.clone(),
            }));
        }
        Self { order: self.order, core, terms }
    }
}

impl ArgminMul<f64, Self> for Matrix {
    fn mul(&self, factor: &f64) -> Self {
        assert!(matches!(self.core, Core::Zero), "BFGS scales outer products only");
        let mut scaled = self.clone();
        scaled.terms.iter_mut().for_each(|term| term.weight *= factor);
        scaled
    }
}

impl ArgminAdd<Self, Self> for Matrix {
    fn add(&self, other: &Self) -> Self {
        assert!(matches!(other.core, Core::Zero), "BFGS adds outer products only");
        let mut sum = self.clone();
        sum.terms.extend_from_slice(&other.terms);
        sum
    }
}

impl ArgminSub<Self, Self> for Matrix {
    fn sub(&self, other: &Self) -> Self {
        self.add(&other.mul(&-1.0))
    }
}

impl ArgminTranspose<Self> for Matrix {
    fn t(mut self) -> Self {
        self.terms.iter_mut().for_each(|term| std::mem::swap(&mut term.left, &mut term.right));
        self
    }
}

#[cfg(test)]
mod tests;
