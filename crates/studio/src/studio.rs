//! All that requests are answered from.

use std::fs::File;
use std::sync::Arc;

use outplay_lab::Store;
use outplay_lab::files::make_folder;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use crate::bounds;
use crate::catalogue::Catalogue;
use crate::database::Database;
use crate::jobs::{Bureau, Models};
use crate::server::StartError;
use crate::tables::Hall;

/// The studio.
pub(crate) struct Studio {
    pub(crate) store: Arc<Store>,
    pub(crate) catalogue: Catalogue,
    pub(crate) hall: Arc<Hall>,
    pub(crate) bureau: Arc<Bureau>,
    /// Turns of those who analyse.
    pub(crate) analyses: Arc<Semaphore>,
    /// Turns of those who solve, which takes memory.
    pub(crate) solving: Arc<Semaphore>,
    /// Turns of those who bring networks, which takes memory too.
    pub(crate) uploads: Arc<Semaphore>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) closing: watch::Sender<bool>,
    /// Held for as long as the studio is open, so that nobody else opens it.
    _lock: File,
}

impl Studio {
    /// Opens the studio in the data directory; there is one at a time.
    pub(crate) fn open(store: Arc<Store>, threads: usize, runtime: &Handle) -> Result<Arc<Self>, StartError> {
        let folder = store.path("studio");
        let models = Models::below(&folder);
        make_folder(models.folder())?;
        let lock = File::create(folder.join("lock")).map_err(|error| StartError::Data(error.to_string()))?;
        // Where there are no locks there is nothing to wait for.
        if let Err(std::fs::TryLockError::WouldBlock) = lock.try_lock() {
            return Err(StartError::Taken(folder));
        }
        let data = |error: rusqlite::Error| StartError::Data(error.to_string());
        let database = Arc::new(Database::open(&folder.join("studio.sqlite")).map_err(data)?);
        let catalogue = Catalogue::of(&store, threads)?;
        let hall =
            Hall::new(Arc::clone(&database), Arc::clone(&store), models.clone(), threads, runtime.clone());
        let bureau = Bureau::open(database, Arc::clone(&store), models, threads, runtime.clone())
            .map_err(|refusal| StartError::Data(refusal.message))?;
        Ok(Arc::new(Self {
            store,
            catalogue,
            hall,
            bureau,
            analyses: Arc::new(Semaphore::new(bounds::ANALYSES)),
            solving: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(1)),
            sockets: Arc::new(Semaphore::new(bounds::SOCKETS)),
            closing: watch::channel(false).0,
            _lock: lock,
        }))
    }
}
