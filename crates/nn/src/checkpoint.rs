//! The bytes of a BFGS run between two steps.
//!
//! Layout, all numbers little-endian: the mark; u32 count of layer sizes, the sizes as u64, one activation code
//! per layer; the loss code, both tolerances; the data's fingerprint; the iteration, the finish code; loss,
//! previous loss, parameters, gradient; 0, or 1 and the lower triangle of the inverse Hessian; and the CRC-32
//! of all before it. Encoding loses no bit, and decoding accepts nothing that encoding would not have written.

use crate::activation::Activation;
use crate::bfgs::{BfgsOptions, Finish, MAX_BFGS_PARAMETERS};
use crate::error::CheckpointError;
use crate::loss::Loss;
use crate::matrix::lower_length;
use crate::network::Architecture;
use crate::scalar::{Fields, code, put, sealed};

/// The opening mark; its last byte is the version.
const MARK: [u8; 8] = *b"OPLBFGS\x01";

const FINISHES: [Option<Finish>; 4] =
    [None, Some(Finish::Gradient), Some(Finish::Loss), Some(Finish::LineSearch)];

/// All that the next step depends on, besides the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BfgsSnapshot {
    pub(crate) architecture: Architecture,
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

impl BfgsSnapshot {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        let (sizes, activations) = self.architecture.plain_dense().expect("BFGS trains dense layers");
        out.extend((sizes.len() as u32).to_le_bytes());
        out.extend(sizes.iter().flat_map(|&size| (size as u64).to_le_bytes()));
        out.extend(activations.iter().map(|activation| code(&Activation::ALL, activation)));
        out.push(code(&Loss::ALL, &self.options.loss));
        put(&mut out, &[self.options.gradient_tolerance, self.options.loss_tolerance]);
        out.extend(self.fingerprint.to_le_bytes());
        out.extend(self.iteration.to_le_bytes());
        out.push(code(&FINISHES, &self.finished));
        put(&mut out, &[self.loss, self.previous_loss]);
        put(&mut out, &self.parameters);
        put(&mut out, &self.gradient);
        out.push(u8::from(self.lower.is_some()));
        put(&mut out, self.lower.as_deref().unwrap_or_default());
        sealed(out)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut fields = Fields::open(MARK, bytes)?;
        let architecture = architecture(&mut fields)?;
        let count = architecture.parameters();
        let loss = fields.item("loss function", &Loss::ALL)?;
        let [gradient_tolerance, loss_tolerance] = fields.pair("tolerances")?;
        let fingerprint = u32::from_le_bytes(fields.take("fingerprint")?);
        let iteration = u64::from_le_bytes(fields.take("iteration")?);
        let finished = fields.item("finish", &FINISHES)?;
        let [loss_here, previous_loss] = fields.pair("losses")?;
        if !loss_here.is_finite() || previous_loss.is_nan() {
            return Err(CheckpointError::Field { field: "losses" });
        }
        let parameters = fields.finite("parameters", count)?;
        let gradient = fields.finite("gradient", count)?;
        let lower = if fields.item("inverse Hessian", &[false, true])? {
            Some(fields.numbers("inverse Hessian", lower_length(count))?)
        } else {
            None
        };
        fields.close()?;
        Ok(Self {
            architecture,
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

fn architecture(fields: &mut Fields<'_>) -> Result<Architecture, CheckpointError> {
    let count = u32::from_le_bytes(fields.take("layer sizes")?);
    let mut sizes = Vec::new();
    for _ in 0..count {
        let size = u64::from_le_bytes(fields.take("layer sizes")?);
        sizes.push(usize::try_from(size).map_err(|_| CheckpointError::Field { field: "layer sizes" })?);
    }
    let mut activations = Vec::new();
    for _ in 1..count {
        activations.push(fields.item("activations", &Activation::ALL)?);
    }
    let architecture = Architecture::from_widths(&sizes, &activations)?;
    if architecture.parameters() > MAX_BFGS_PARAMETERS {
        return Err(CheckpointError::Field { field: "layer sizes" });
    }
    Ok(architecture)
}
