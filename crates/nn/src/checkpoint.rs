//! The bytes of a BFGS run between two steps.
//!
//! Belongs here: the layout and its checks. Does not belong here: what the fields are for (`bfgs`).
//!
//! Layout, all numbers little-endian: the mark; u32 count of layer sizes, the sizes as u64, one activation code
//! per layer; the loss code, both tolerances; the data's fingerprint; the iteration, the finish code; loss,
//! previous loss, parameters, gradient; 0, or 1 and the lower triangle of the inverse Hessian; and the CRC-32
//! of all before it.
//!
//! Law: encoding loses no bit, and decoding accepts nothing that encoding would not have written.

use crate::activation::Activation;
use crate::bfgs::{BfgsOptions, Finish, MAX_BFGS_PARAMETERS};
use crate::error::CheckpointError;
use crate::loss::Loss;
use crate::matrix::lower_length;
use crate::mlp::Shape;

/// The opening mark; its last byte is the version.
const MARK: &[u8; 8] = b"OPLBFGS\x01";

const LOSSES: [Loss; 2] = [Loss::SquaredError, Loss::CrossEntropy];
const FINISHES: [Option<Finish>; 4] =
    [None, Some(Finish::Gradient), Some(Finish::Loss), Some(Finish::LineSearch)];

/// All that the next step depends on, besides the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) shape: Shape,
    pub(crate) options: BfgsOptions,
    pub(crate) fingerprint: u32,
    pub(crate) iteration: u64,
    pub(crate) finished: Option<Finish>,
    pub(crate) loss: f64,
    pub(crate) previous_loss: f64,
    pub(crate) parameters: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    /// The inverse Hessian's lower triangle; `None` is the identity.
    pub(crate) lower: Option<Vec<f64>>,
}

impl Snapshot {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        let sizes = self.shape.sizes();
        out.extend((sizes.len() as u32).to_le_bytes());
        out.extend(sizes.iter().flat_map(|&size| (size as u64).to_le_bytes()));
        out.extend(self.shape.layers().iter().map(|layer| code(&Activation::ALL, &layer.activation)));
        out.push(code(&LOSSES, &self.options.loss));
        put(&mut out, &[self.options.gradient_tolerance, self.options.loss_tolerance]);
        out.extend(self.fingerprint.to_le_bytes());
        out.extend(self.iteration.to_le_bytes());
        out.push(code(&FINISHES, &self.finished));
        put(&mut out, &[self.loss, self.previous_loss]);
        put(&mut out, &self.parameters);
        put(&mut out, &self.gradient);
        out.push(u8::from(self.lower.is_some()));
        put(&mut out, self.lower.as_deref().unwrap_or_default());
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let Some((body, sum)) = bytes.strip_prefix(MARK).and_then(|_| bytes.split_last_chunk::<4>()) else {
            return Err(CheckpointError::NotACheckpoint);
        };
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(CheckpointError::Checksum);
        }
        let mut fields = Fields(body.get(MARK.len()..).ok_or(CheckpointError::NotACheckpoint)?);
        let shape = fields.shape()?;
        let loss = fields.item("loss function", &LOSSES)?;
        let [gradient_tolerance, loss_tolerance] = fields.pair("tolerances")?;
        let fingerprint = u32::from_le_bytes(fields.take("fingerprint")?);
        let iteration = u64::from_le_bytes(fields.take("iteration")?);
        let finished = fields.item("finish", &FINISHES)?;
        let [loss_here, previous_loss] = fields.pair("losses")?;
        if !loss_here.is_finite() || previous_loss.is_nan() {
            return Err(CheckpointError::Field("losses"));
        }
        let parameters = fields.finite("parameters", shape.parameters())?;
        let gradient = fields.finite("gradient", shape.parameters())?;
        let lower = if fields.item("inverse Hessian", &[false, true])? {
            Some(fields.numbers("inverse Hessian", lower_length(shape.parameters()))?)
        } else {
            None
        };
        if !fields.0.is_empty() {
            return Err(CheckpointError::Field("length"));
        }
        Ok(Self {
            shape,
            options: BfgsOptions { loss, gradient_tolerance, loss_tolerance },
            fingerprint,
            iteration,
            finished,
            loss: loss_here,
            previous_loss,
            parameters,
            gradient,
            lower,
        })
    }
}

/// The place of an item in its list.
fn code<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|other| other == item).expect("every variant is listed") as u8
}

fn put(out: &mut Vec<u8>, numbers: &[f64]) {
    out.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
}

/// What is left to read.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], CheckpointError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(CheckpointError::Field(field))?;
        self.0 = rest;
        Ok(*head)
    }

    fn item<T: Copy>(&mut self, field: &'static str, list: &[T]) -> Result<T, CheckpointError> {
        let [code] = self.take(field)?;
        list.get(usize::from(code)).copied().ok_or(CheckpointError::Field(field))
    }

    fn pair(&mut self, field: &'static str) -> Result<[f64; 2], CheckpointError> {
        Ok([f64::from_le_bytes(self.take(field)?), f64::from_le_bytes(self.take(field)?)])
    }

    fn finite(&mut self, field: &'static str, count: usize) -> Result<Vec<f64>, CheckpointError> {
        let numbers = self.numbers(field, count)?;
        if numbers.iter().all(|x| x.is_finite()) { Ok(numbers) } else { Err(CheckpointError::Field(field)) }
    }

    fn numbers(&mut self, field: &'static str, count: usize) -> Result<Vec<f64>, CheckpointError> {
        let bytes = count.checked_mul(8).and_then(|length| self.0.split_at_checked(length));
        let (numbers, rest) = bytes.ok_or(CheckpointError::Field(field))?;
        self.0 = rest;
        Ok(numbers.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
    }

    fn shape(&mut self) -> Result<Shape, CheckpointError> {
        let count = u32::from_le_bytes(self.take("layer sizes")?);
        let mut sizes = Vec::new();
        for _ in 0..count {
            let size = u64::from_le_bytes(self.take("layer sizes")?);
            sizes.push(usize::try_from(size).map_err(|_| CheckpointError::Field("layer sizes"))?);
        }
        let mut activations = Vec::new();
        for _ in 1..count {
            activations.push(self.item("activations", &Activation::ALL)?);
        }
        let shape = Shape::new(&sizes, &activations)?;
        if shape.parameters() > MAX_BFGS_PARAMETERS {
            return Err(CheckpointError::Field("layer sizes"));
        }
        Ok(shape)
    }
}
