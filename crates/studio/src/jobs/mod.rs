//! Jobs: long work that shows how far it is, can be stopped, and survives a restart.
//!
//! Belongs here: what a job is ([`job`]), what it does ([`work`]), all of them together ([`bureau`]), what they leave on disk
//! ([`journal`], [`tail`], [`models`], [`export`]), the networks among it ([`networks`]), and the routes. Does not belong here: how matches, trainings and papers are done (the lab's).
//!
//! Law: what a job leaves can be found again by its name alone; what was cut off goes on.

mod bureau;
pub(crate) mod export;
mod job;
mod journal;
mod models;
mod networks;
pub(crate) mod routes;
mod standing;
mod tail;
mod work;

pub(crate) use bureau::Bureau;
pub(crate) use job::JobInfo;
pub(crate) use models::Models;
pub(crate) use tail::{Stretch, Tail};
