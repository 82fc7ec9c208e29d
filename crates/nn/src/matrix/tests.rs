//! The symbolic matrices against plain ones: argmin's own BFGS run on both.

use std::marker::PhantomData;

use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::BFGS;

use super::*;

/// What both kinds of vector can be made from and read as.
trait Numbers: Clone {
    fn of(numbers: Vec<f64>) -> Self;
    fn numbers(&self) -> &[f64];
}

impl Numbers for Vec<f64> {
    fn of(numbers: Vec<f64>) -> Self {
        numbers
    }
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl Numbers for Vector {
    fn of(numbers: Vec<f64>) -> Self {
        Self(numbers)
    }
    fn numbers(&self) -> &[f64] {
        &self.0
    }
}

/// A function with its gradient, for either kind of vector.
struct Surface<V> {
    value: fn(&[f64]) -> f64,
    gradient: fn(&[f64]) -> Vec<f64>,
    vector: PhantomData<V>,
}

impl<V: Numbers> CostFunction for Surface<V> {
    type Param = V;
    type Output = f64;
    fn cost(&self, x: &V) -> Result<f64, Error> {
        Ok((self.value)(x.numbers()))
    }
}

impl<V: Numbers> Gradient for Surface<V> {
    type Param = V;
    type Gradient = V;
    fn gradient(&self, x: &V) -> Result<V, Error> {
        Ok(V::of((self.gradient)(x.numbers())))
    }
}

type Search<V> = BFGS<MoreThuenteLineSearch<V, V, f64>, f64>;
type At<V, H> = IterState<V, V, (), H, (), f64>;

/// The points that BFGS visits, and the inverse Hessian it ends with; `tidy` follows every update.
fn visit<V: Numbers, H>(
    surface: Surface<V>,
    start: &[f64],
    hessian: H,
    steps: usize,
    tidy: fn(&mut H),
) -> (Vec<Vec<f64>>, H)
where
    Search<V>: Solver<Surface<V>, At<V, H>>,
    At<V, H>: State<Param = V, Float = f64>,
{
    let mut solver: Search<V> = BFGS::new(MoreThuenteLineSearch::new());
    let mut problem = Problem::new(surface);
    let state = IterState::new().param(V::of(start.to_vec())).inv_hessian(hessian);
    let (mut state, _) = solver.init(&mut problem, state).unwrap();
    let mut points = Vec::new();
    for _ in 0..steps {
        (state, _) = solver.next_iter(&mut problem, state).unwrap();
        points.push(state.get_param().unwrap().numbers().to_vec());
        let mut hessian = state.take_inv_hessian().unwrap();
        tidy(&mut hessian);
        state = state.inv_hessian(hessian);
    }
    (points, state.take_inv_hessian().unwrap())
}

/// Rosenbrock's valley in six dimensions.
fn valley(x: &[f64]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

fn valley_gradient(x: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; x.len()];
    for (i, w) in x.windows(2).enumerate() {
        let off = w[1] - w[0] * w[0];
        gradient[i] += -400.0 * w[0] * off - 2.0 * (1.0 - w[0]);
        gradient[i + 1] += 200.0 * off;
    }
    gradient
}

#[test]
fn the_update_is_the_textbook_one() {
    let start = [-1.2, 1.0, 0.3, -0.5, 0.8, 1.7];
    let plain = Surface::<Vec<f64>> { value: valley, gradient: valley_gradient, vector: PhantomData };
    let ours = Surface::<Vector> { value: valley, gradient: valley_gradient, vector: PhantomData };
    let (plain_points, plain_hessian) =
        visit(plain, &start, <Vec<Vec<f64>> as ArgminEye>::eye(6), 25, |_| ());
    let (points, hessian) = visit(ours, &start, Matrix::eye(6), 25, Matrix::settle);
    for (step, (a, b)) in plain_points.iter().zip(&points).enumerate() {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-10, "step {step}: {a} and {b}");
        }
    }
    let lower = hessian.lower().unwrap();
    for (i, row) in plain_hessian.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().take(i + 1) {
            assert!((entry - lower[lower_length(i) + j]).abs() < 1e-9 * entry.abs().max(1.0));
        }
    }
}

/// ½ xᵀAx − bᵀx with A = [4 1 0; 1 3 1; 0 1 2] and b = (5, 5, 3), lowest at (1, 1, 1).
fn bowl(x: &[f64]) -> f64 {
    let curve = bowl_gradient(x).iter().zip([5.0, 5.0, 3.0]).map(|(g, b)| g + b).collect::<Vec<_>>();
    0.5 * dot(&curve, x) - dot(&[5.0, 5.0, 3.0], x)
}

fn bowl_gradient(x: &[f64]) -> Vec<f64> {
    vec![4.0 * x[0] + x[1] - 5.0, x[0] + 3.0 * x[1] + x[2] - 5.0, x[1] + 2.0 * x[2] - 3.0]
}

#[test]
fn a_bowl_of_three_dimensions_takes_three_steps() {
    let surface = Surface::<Vector> { value: bowl, gradient: bowl_gradient, vector: PhantomData };
    let (points, hessian) = visit(surface, &[-2.0, 4.0, 7.0], Matrix::eye(3), 3, Matrix::settle);
    assert!(points[2].iter().all(|x| (x - 1.0).abs() < 1e-12), "{:?}", points[2]);
    // By hand: det A = 4·(6−1) − 1·2 = 18, and the cofactors of A over it.
    let inverse = [5.0, -2.0, 8.0, 1.0, -4.0, 11.0].map(|cofactor| cofactor / 18.0);
    for (found, expected) in hessian.lower().unwrap().iter().zip(inverse) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn settling_changes_no_product() {
    let vector = |seed: u32| Vector((0..5).map(|i| f64::from((i * seed + 3) % 11) - 5.0).collect());
    let (s, y, x) = (vector(4), vector(7), vector(9));
    let outer = |a: &Vector, b: &Vector| -> Matrix { a.dot(b) };
    let mut matrix = Matrix::eye(5).add(&outer(&s, &y)).add(&outer(&y, &s)).add(&outer(&s, &s).mul(&0.3));
    let before: Vector = matrix.dot(&x);
    let copy = matrix.clone();
    matrix.settle();
    let after: Vector = matrix.dot(&x);
    assert!(before.0.iter().zip(&after.0).all(|(a, b)| (a - b).abs() < 1e-10));
    assert!(!matrix.is_identity() && Matrix::eye(5).is_identity() && Matrix::eye(5).lower().is_none());
    let unsettled: Vector = copy.dot(&x);
    assert_eq!(unsettled, before);
    assert_eq!(Matrix::from_lower(5, matrix.lower().unwrap().to_vec()).lower(), matrix.lower());
}
