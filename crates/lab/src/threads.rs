//! How many cores a piece of work may use.
//!
//! Law: the number changes the time and nothing else.

use crate::error::LabError;

/// Does parallel work on so many threads; without a number, on one for each core.
pub(crate) fn on_threads<R: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R, LabError> + Send,
) -> Result<R, LabError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| LabError::refused(format!("cannot start threads: {error}")))?;
    pool.install(work)
}
