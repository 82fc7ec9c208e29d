//! Full-batch training by BFGS, one iteration at a time, so that a caller can show, record, save and stop between
//! iterations.
//!
//! argmin's solver is driven over a network's loss. The loss never rises: a step is taken only if it goes down, so
//! the current network is the best so far. When a line search fails, or finds no lower point, the inverse Hessian is
//! reset to the identity and the step is tried once more along the bare gradient; if that fails too, training is
//! finished ([`Finish::LineSearch`]). A checkpoint holds all that the next step depends on, so a resumed run gives
//! the same bytes.

use std::cell::RefCell;
use std::fmt;

use argmin::core::{
    ArgminError, CostFunction, Error, Gradient, IterState, Problem, Solver, TerminationStatus,
};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::BFGS;
use argmin_math::{ArgminDot, ArgminEye, ArgminL2Norm, ArgminSub};
use outplay_core::errors;

use crate::checkpoint::BfgsSnapshot;
use crate::dataset::Dataset;
use crate::error::{CheckpointError, TrainError};
use crate::loss::{Backprop, Loss};
use crate::matrix::Matrix;
use crate::network::{Architecture, Network};
use crate::vector::Vector;

/// The largest network that BFGS trains: its inverse Hessian then fills one gibibyte.
pub const MAX_BFGS_PARAMETERS: usize = 16_384;

/// Evaluations that one line search may use; it needs one or two as a rule.
const EVALUATIONS_PER_SEARCH: u32 = 100;

/// How to train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BfgsOptions {
    /// What is made small.
    pub loss: Loss,
    /// Training is finished when the gradient is shorter than this.
    pub gradient_tolerance: f64,
    /// Training is finished when a step lowers the loss by less than this.
    pub loss_tolerance: f64,
}

impl Default for BfgsOptions {
    /// Half the squared error, and tolerances at the edge of what the arithmetic can tell apart.
    fn default() -> Self {
        Self { loss: Loss::HalfSquaredError, gradient_tolerance: 1e-8, loss_tolerance: f64::EPSILON }
    }
}

/// Why training is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// The gradient is shorter than its tolerance.
    Gradient,
    /// The last step lowered the loss by less than its tolerance.
    Loss,
    /// No lower point was found, not even along the bare gradient.
    LineSearch,
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gradient => "the gradient vanished",
            Self::Loss => "the loss no longer falls",
            Self::LineSearch => "the line search finds no lower point",
        })
    }
}

/// Where training stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BfgsStatus {
    /// Steps taken since the beginning.
    pub iteration: u64,
    /// The loss of the current network.
    pub loss: f64,
    /// The length of the loss's gradient there.
    pub gradient_norm: f64,
    /// Whether this step set the inverse Hessian back to the identity.
    pub restarted: bool,
    /// Set when further steps would change nothing.
    pub finished: Option<Finish>,
}

/// A network in training.
pub struct Bfgs {
    objective: Objective,
    options: BfgsOptions,
    solver: BFGS<MoreThuenteLineSearch<Vector, Vector, f64>, f64>,
    here: Iterate,
    /// The loss before the last step; infinite before the first.
    previous_loss: f64,
    inverse_hessian: Matrix,
    iteration: u64,
    finished: Option<Finish>,
}

/// A parameter vector, with the loss and its gradient there.
#[derive(Clone)]
struct Iterate {
    parameters: Vector,
    loss: f64,
    gradient: Vector,
}

type SolverState = IterState<Vector, Vector, (), Matrix, (), f64>;

/// What one call of the solver came to.
enum LineSearchResult {
    Down { there: Iterate, inverse_hessian: Matrix },
    Nowhere,
}

impl Bfgs {
    /// Training of this network on this data, before its first step.
    pub fn new(net: &Network<f64>, data: Dataset, options: BfgsOptions) -> Result<Self, TrainError> {
        let solver = check(net.architecture(), &data, options)?;
        let order = net.parameters().len();
        let objective = Objective::new(net.architecture().clone(), data, options.loss);
        let (loss, gradient) = objective.evaluate(net.parameters());
        let here =
            Iterate { parameters: Vector(net.parameters().to_vec()), loss, gradient: Vector(gradient) };
        if !here.is_finite() {
            return Err(TrainError::NotFinite);
        }
        let mut training = Self {
            objective,
            options,
            solver,
            here,
            previous_loss: f64::INFINITY,
            inverse_hessian: Matrix::eye(order),
            iteration: 0,
            finished: None,
        };
        training.finished = training.tolerance_reached();
        Ok(training)
    }

    /// Training from where [`checkpoint`](Self::checkpoint) left it, on the same data.
    pub fn resume(data: Dataset, bytes: &[u8]) -> Result<Self, TrainError> {
        let saved = BfgsSnapshot::decode(bytes)?;
        if saved.fingerprint != data.fingerprint() {
            return Err(CheckpointError::OtherData.into());
        }
        let solver = check(&saved.architecture, &data, saved.options)?;
        let order = saved.architecture.parameters();
        let here = Iterate {
            parameters: Vector(saved.parameters),
            loss: saved.loss,
            gradient: Vector(saved.gradient),
        };
        Ok(Self {
            objective: Objective::new(saved.architecture, data, saved.options.loss),
            options: saved.options,
            solver,
            here,
            previous_loss: saved.previous_loss,
            inverse_hessian: match saved.lower {
                Some(lower) => Matrix::from_lower(order, lower),
                None => Matrix::eye(order),
            },
            iteration: saved.iteration,
            finished: saved.finished,
        })
    }

    /// Everything that [`resume`](Self::resume) needs besides the data.
    pub fn checkpoint(&self) -> Vec<u8> {
        let saved = BfgsSnapshot {
            architecture: self.objective.architecture.clone(),
            options: self.options,
            fingerprint: self.objective.data.fingerprint(),
            iteration: self.iteration,
            finished: self.finished,
            loss: self.here.loss,
            previous_loss: self.previous_loss,
            parameters: self.here.parameters.0.clone(),
            gradient: self.here.gradient.0.clone(),
            lower: self.inverse_hessian.lower().map(<[f64]>::to_vec),
        };
        saved.encode()
    }

    /// The current network: the best so far.
    pub fn network(&self) -> Network<f64> {
        Network::from_parameters(self.objective.architecture.clone(), self.here.parameters.0.clone())
            .expect("a point of finite loss has finite parameters")
    }

    /// Where training stands, without a step.
    pub fn status(&self) -> BfgsStatus {
        BfgsStatus {
            iteration: self.iteration,
            loss: self.here.loss,
            gradient_norm: self.here.gradient.l2_norm(),
            restarted: false,
            finished: self.finished,
        }
    }

    /// Takes one step, unless training is finished. An error is a fault of the solver, not of the data; the
    /// current network stays what it was.
    pub fn step(&mut self) -> Result<BfgsStatus, TrainError> {
        let mut restarted = false;
        while self.finished.is_none() {
            match self.attempt()? {
                LineSearchResult::Down { there, inverse_hessian } => {
                    restarted |= self.accept(there, inverse_hessian);
                    break;
                }
                LineSearchResult::Nowhere if self.inverse_hessian.is_identity() => {
                    self.finished = Some(Finish::LineSearch);
                }
                LineSearchResult::Nowhere => {
                    self.inverse_hessian = self.inverse_hessian.eye_like();
                    restarted = true;
                }
            }
        }
        Ok(BfgsStatus { restarted, ..self.status() })
    }

    /// Moves to a lower point; whether the inverse Hessian had to be given up there.
    fn accept(&mut self, there: Iterate, mut inverse_hessian: Matrix) -> bool {
        let moved = there.parameters.sub(&self.here.parameters);
        let curvature: f64 = moved.dot(&there.gradient.sub(&self.here.gradient));
        // Only along positive curvature does the update keep the matrix positive definite.
        let usable = curvature > 0.0 && (1.0 / curvature).is_finite();
        if usable {
            // Let go of the old matrix first, so that the new one is made in its place.
            self.inverse_hessian = inverse_hessian.eye_like();
            inverse_hessian.settle();
            self.inverse_hessian = inverse_hessian;
        } else {
            self.inverse_hessian = inverse_hessian.eye_like();
        }
        self.previous_loss = self.here.loss;
        self.here = there;
        self.iteration = self.iteration.saturating_add(1);
        self.finished = self.tolerance_reached();
        !usable
    }

    fn tolerance_reached(&mut self) -> Option<Finish> {
        let state = self.solver_state();
        // The trait has to be told which problem it is asked about, though the answer needs none.
        let status = Solver::<Probe<'_>, SolverState>::terminate(&mut self.solver, &state);
        if matches!(status, TerminationStatus::NotTerminated) {
            None
        } else if self.here.gradient.l2_norm() < self.options.gradient_tolerance {
            Some(Finish::Gradient)
        } else {
            Some(Finish::Loss)
        }
    }

    fn solver_state(&self) -> SolverState {
        let state: SolverState = argmin::core::State::new();
        state
            .param(self.here.parameters.clone())
            .gradient(self.here.gradient.clone())
            .cost(self.previous_loss)
            .cost(self.here.loss)
            .inv_hessian(self.inverse_hessian.clone())
    }

    /// One iteration of the solver from here. It takes its problem and state by value and keeps both when a
    /// line search fails, so it is given a probe and copies.
    fn attempt(&mut self) -> Result<LineSearchResult, TrainError> {
        let state = self.solver_state();
        self.objective.allow(EVALUATIONS_PER_SEARCH);
        let mut problem = Problem::new(Probe(&self.objective));
        let (mut state, _) = match self.solver.next_iter(&mut problem, state) {
            Ok(next) => next,
            Err(error) if is_search_failure(&error) => return Ok(LineSearchResult::Nowhere),
            Err(error) => return Err(TrainError::Solver { reason: error.to_string() }),
        };
        let loss = state.get_cost();
        let (Some(parameters), Some(gradient), Some(inverse_hessian)) =
            (state.take_param(), state.take_gradient(), state.take_inv_hessian())
        else {
            return Err(TrainError::NoPoint);
        };
        let there = Iterate { parameters, loss, gradient };
        if there.loss < self.here.loss && there.is_finite() {
            Ok(LineSearchResult::Down { there, inverse_hessian })
        } else {
            Ok(LineSearchResult::Nowhere)
        }
    }
}

impl Iterate {
    fn is_finite(&self) -> bool {
        let numbers = self.parameters.0.iter().chain(&self.gradient.0);
        self.loss.is_finite() && numbers.into_iter().all(|x| x.is_finite())
    }
}

/// The solver for such training, if it can begin.
fn check(
    architecture: &Architecture,
    data: &Dataset,
    options: BfgsOptions,
) -> Result<BFGS<MoreThuenteLineSearch<Vector, Vector, f64>, f64>, TrainError> {
    options.loss.check_data(architecture, data)?;
    let found = architecture.parameters();
    if found > MAX_BFGS_PARAMETERS {
        return Err(TrainError::TooManyParameters { limit: MAX_BFGS_PARAMETERS, found });
    }
    for tolerance in [options.gradient_tolerance, options.loss_tolerance] {
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(TrainError::Tolerance { tolerance });
        }
    }
    let fault = |error: Error| TrainError::Solver { reason: error.to_string() };
    BFGS::new(MoreThuenteLineSearch::new())
        .with_tolerance_grad(options.gradient_tolerance)
        .and_then(|solver| solver.with_tolerance_cost(options.loss_tolerance))
        .map_err(fault)
}

/// Failures that a line search may have when the solver is used rightly.
fn is_search_failure(error: &Error) -> bool {
    error.is::<SearchFailure>() || matches!(error.downcast_ref(), Some(ArgminError::ConditionViolated { .. }))
}

errors! {
    /// Why the objective ended a line search.
    enum SearchFailure {
        NotFinite = "the loss is not finite along the search" | "la perte n’est pas finie le long de la recherche",
        Endless = "the search used up its evaluations" | "la recherche a épuisé ses évaluations",
    }
}

/// The loss as a function of the parameters, remembering where it was evaluated last: the solver asks for the
/// value and for the gradient of the same point in separate calls.
struct Objective {
    architecture: Architecture,
    data: Dataset,
    last: RefCell<Evaluation>,
}

struct Evaluation {
    backprop: Backprop,
    parameters: Vec<f64>,
    loss: f64,
    gradient: Vec<f64>,
    /// Evaluations that the line search may still use.
    allowance: u32,
}

impl Objective {
    fn new(architecture: Architecture, data: Dataset, loss: Loss) -> Self {
        let last = Evaluation {
            backprop: Backprop::new(&architecture, loss),
            parameters: Vec::new(),
            loss: f64::NAN,
            gradient: vec![0.0; architecture.parameters()],
            allowance: 0,
        };
        Self { architecture, data, last: RefCell::new(last) }
    }

    fn allow(&self, evaluations: u32) {
        self.last.borrow_mut().allowance = evaluations;
    }

    fn evaluate(&self, parameters: &[f64]) -> (f64, Vec<f64>) {
        let last = &mut *self.last.borrow_mut();
        last.move_to(parameters, &self.data);
        (last.loss, last.gradient.clone())
    }

    /// What `read` makes of the evaluation at these parameters.
    fn search<T>(&self, parameters: &[f64], read: impl FnOnce(&Evaluation) -> T) -> Result<T, Error> {
        let last = &mut *self.last.borrow_mut();
        if last.parameters != parameters {
            last.allowance = last.allowance.checked_sub(1).ok_or(SearchFailure::Endless)?;
            last.move_to(parameters, &self.data);
        }
        if last.loss.is_finite() { Ok(read(last)) } else { Err(SearchFailure::NotFinite.into()) }
    }
}

impl Evaluation {
    fn move_to(&mut self, parameters: &[f64], data: &Dataset) {
        self.parameters.clear();
        self.parameters.extend_from_slice(parameters);
        self.loss = self.backprop.loss_and_gradient(parameters, data, &mut self.gradient);
    }
}

/// The objective as argmin's solvers take it.
struct Probe<'a>(&'a Objective);

impl CostFunction for Probe<'_> {
    type Param = Vector;
    type Output = f64;

    fn cost(&self, parameters: &Vector) -> Result<f64, Error> {
        self.0.search(&parameters.0, |last| last.loss)
    }
}

impl Gradient for Probe<'_> {
    type Param = Vector;
    type Gradient = Vector;

    fn gradient(&self, parameters: &Vector) -> Result<Vector, Error> {
        self.0.search(&parameters.0, |last| Vector(last.gradient.clone()))
    }
}
