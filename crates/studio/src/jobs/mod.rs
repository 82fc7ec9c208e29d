//! Jobs: long work that reports progress, can be stopped, and survives a restart.
//!
//! The work itself (matches, training, papers) is the lab's. The files of a job are found by its identifier alone, and a job that was
//! interrupted goes on from them.

mod errors;
mod evaluation;
pub(crate) mod export;
mod files;
mod job;
mod journal;
mod models;
mod queue;
mod record_tail;
mod request;
pub(crate) mod routes;
mod runner;
mod standing;

pub(crate) use files::JobFiles;
pub(crate) use job::{JobInfo, ProgressInfo};
pub(crate) use queue::JobQueue;
pub(crate) use record_tail::{RecordBatch, RecordTail};
