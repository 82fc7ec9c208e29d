//! The state that all requests share.

use std::fs::File;
use std::sync::Arc;

use outplay_core::Text;
use outplay_lab::Store;
use outplay_runtime::files::make_folder;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use crate::bounds;
use crate::database::StudioDatabase;
use crate::jobs::{JobFiles, JobQueue};
use crate::server::StartError;
use crate::tables::StudioTables;

/// The studio.
pub(crate) struct Studio {
    pub(crate) store: Arc<Store>,
    /// The threads that work may use.
    pub(crate) threads: usize,
    pub(crate) tables: Arc<StudioTables>,
    pub(crate) jobs: Arc<JobQueue>,
    /// Permits of analyses.
    pub(crate) analyses: Arc<Semaphore>,
    /// The permit to solve, which takes memory.
    pub(crate) solving: Arc<Semaphore>,
    /// The permit to look at an upload, which takes memory.
    pub(crate) uploads: Arc<Semaphore>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) closing: watch::Sender<bool>,
    /// Held while the studio is open, so that no other process opens it.
    _lock: File,
}

impl Studio {
    /// Opens the studio in the data directory; there is one at a time.
    pub(crate) fn open(store: Arc<Store>, threads: usize, runtime: &Handle) -> Result<Arc<Self>, StartError> {
        let folder = store.path("studio");
        let files = JobFiles::below(&folder);
        make_folder(files.folder())?;
        let lock = File::create(folder.join("lock"))
            .map_err(|error| StartError::Data { reason: Text::of(&error) })?;
        // A file system without locks is no reason to refuse.
        if let Err(std::fs::TryLockError::WouldBlock) = lock.try_lock() {
            return Err(StartError::InUse { folder });
        }
        let data = |error: rusqlite::Error| StartError::Data { reason: Text::same(error.to_string()) };
        let database = Arc::new(StudioDatabase::open(&folder.join("studio.sqlite")).map_err(data)?);
        let tables = StudioTables::new(
            Arc::clone(&database),
            Arc::clone(&store),
            files.clone(),
            threads,
            runtime.clone(),
        );
        let jobs = JobQueue::open(database, Arc::clone(&store), files, threads, runtime.clone())
            .map_err(|refusal| StartError::Data { reason: refusal.message })?;
        Ok(Arc::new(Self {
            store,
            threads,
            tables,
            jobs,
            analyses: Arc::new(Semaphore::new(bounds::ANALYSES)),
            solving: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(1)),
            sockets: Arc::new(Semaphore::new(bounds::SOCKETS)),
            closing: watch::channel(false).0,
            _lock: lock,
        }))
    }
}
