//! The studio's SQLite file, which holds tables and jobs.
//!
//! A row is a whole document in JSON; its shape is defined by the module that saves it. A change that was answered is on the disk and
//! survives a power failure. One thread writes: it commits all changes that wait in one transaction, so they share one sync.

use std::path::Path;
use std::slice;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use outplay_core::{ForeignWords, errors};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params_from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, CodedError, Refusal, RequestError, Resource};

/// The migrations of the schema, one per version.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE tables (id TEXT PRIMARY KEY, updated INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
    CREATE INDEX tables_by_age ON tables (updated DESC);
    CREATE TABLE jobs (id TEXT PRIMARY KEY, updated INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
    CREATE INDEX jobs_by_age ON jobs (updated DESC);
"];

errors! {
    /// A fault of the studio's data; the reasons are SQLite's and the parser's.
    pub(crate) enum DatabaseError {
        Sql { reason: ForeignWords } =
            "the studio's data could not be read: {reason}" | "les données du studio n’ont pu être lues : {reason}",
        Unsaved { reason: ForeignWords } =
            "nothing was saved and nothing has changed, because the studio's data could not be written: {reason}"
            | "rien n’a été enregistré et rien n’a changé, car les données du studio n’ont pu être écrites : {reason}",
        Document { reason: ForeignWords } =
            "a document of the studio cannot be read: {reason}" | "un document du studio ne peut être lu : {reason}",
    }
}

impl CodedError for DatabaseError {
    fn code(&self) -> Code {
        Code::Failed
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError::Sql { reason: ForeignWords::of(&error) }.into()
    }
}

/// A kind of document, with an SQL table of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DocumentKind {
    Table,
    Job,
}

impl DocumentKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Table => "tables",
            Self::Job => "jobs",
        }
    }

    const fn resource(self) -> Resource {
        match self {
            Self::Table => Resource::Table,
            Self::Job => Resource::Job,
        }
    }
}

/// Changes that are committed together at most.
const BATCH: usize = 256;

/// The open database.
pub(crate) struct StudioDatabase {
    /// For reading, which does not wait for writers.
    connection: Mutex<Connection>,
    /// The changes that are to be written; `None` when the database is closing.
    writes: Option<Sender<DocumentWrite>>,
    writer: Option<JoinHandle<()>>,
}

/// A change that is to be written.
struct DocumentWrite {
    sql: String,
    values: Vec<Value>,
    /// Is sent how many rows have changed, when the change is on the disk, or why it is not.
    done: SyncSender<Result<usize, String>>,
}

impl StudioDatabase {
    /// Opens or creates the file and migrates it.
    pub(crate) fn open(path: &Path) -> Result<Self, rusqlite::Error> {
        let mut writing = Connection::open(path)?;
        writing.pragma_update(None, "journal_mode", "WAL")?;
        // A commit returns when it is on the disk.
        writing.pragma_update(None, "synchronous", "FULL")?;
        writing.pragma_update(None, "fullfsync", true)?;
        migrate(&mut writing)?;
        let connection = Mutex::new(Connection::open(path)?);
        let (writes, waiting) = channel();
        let writer = thread::spawn(move || write_batches(&mut writing, &waiting));
        Ok(Self { connection, writes: Some(writes), writer: Some(writer) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a change; returns when it is on the disk, with the number of rows that changed.
    fn write(&self, sql: String, values: Vec<Value>) -> Result<usize, Refusal> {
        let (done, answer) = sync_channel(1);
        let writes = self.writes.as_ref().ok_or(RequestError::Closing)?;
        writes.send(DocumentWrite { sql, values, done }).map_err(|_| RequestError::Crashed)?;
        let written = answer.recv().map_err(|_| RequestError::Crashed)?;
        Ok(written.map_err(|reason| DatabaseError::Unsaved { reason: ForeignWords::of(&reason) })?)
    }

    /// Saves a new document.
    pub(crate) fn insert(
        &self,
        shelf: DocumentKind,
        id: &str,
        updated: i64,
        document: &impl Serialize,
    ) -> Result<(), Refusal> {
        let sql = format!("INSERT INTO {} (id, updated, document) VALUES (?1, ?2, ?3)", shelf.name());
        self.write(sql, row(id, updated, document)).map(drop)
    }

    /// Saves a document in place of its earlier version. A document that was removed is unknown, and is not saved again.
    pub(crate) fn update(
        &self,
        shelf: DocumentKind,
        id: &str,
        updated: i64,
        document: &impl Serialize,
    ) -> Result<(), Refusal> {
        let sql = format!("UPDATE {} SET updated = ?2, document = ?3 WHERE id = ?1", shelf.name());
        match self.write(sql, row(id, updated, document))? {
            0 => Err(Refusal::unknown(shelf.resource(), id)),
            _ => Ok(()),
        }
    }

    /// The document with this identifier.
    pub(crate) fn get<T: DeserializeOwned>(
        &self,
        shelf: DocumentKind,
        id: &str,
    ) -> Result<Option<T>, Refusal> {
        let sql = format!("SELECT document FROM {} WHERE id = ?1", shelf.name());
        let text: Option<String> =
            self.lock().prepare_cached(&sql)?.query_row([id], |row| row.get(0)).optional()?;
        text.map(|text| read(&text)).transpose()
    }

    /// The newest documents; those that cannot be parsed are left out.
    pub(crate) fn newest<T: DeserializeOwned>(
        &self,
        shelf: DocumentKind,
        limit: usize,
    ) -> Result<Vec<T>, Refusal> {
        let sql = format!("SELECT document FROM {} ORDER BY updated DESC LIMIT ?1", shelf.name());
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&sql)?;
        let texts = statement.query_map([limit as i64], |row| row.get::<_, String>(0))?;
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        Ok(texts.iter().filter_map(|text| read(text).ok()).collect())
    }

    /// Deletes a document; false if there was none.
    pub(crate) fn remove(&self, shelf: DocumentKind, id: &str) -> Result<bool, Refusal> {
        let sql = format!("DELETE FROM {} WHERE id = ?1", shelf.name());
        Ok(self.write(sql, vec![id.to_owned().into()])? > 0)
    }

    /// Whether there is such a document.
    pub(crate) fn has(&self, shelf: DocumentKind, id: &str) -> Result<bool, Refusal> {
        let sql = format!("SELECT 1 FROM {} WHERE id = ?1", shelf.name());
        Ok(self.lock().prepare_cached(&sql)?.exists([id])?)
    }

    /// How many documents there are.
    pub(crate) fn count(&self, shelf: DocumentKind) -> Result<usize, Refusal> {
        let sql = format!("SELECT COUNT(*) FROM {}", shelf.name());
        Ok(self.lock().query_row(&sql, [], |row| row.get::<_, i64>(0))? as usize)
    }
}

impl Drop for StudioDatabase {
    fn drop(&mut self) {
        self.writes = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn row(id: &str, updated: i64, document: &impl Serialize) -> Vec<Value> {
    let text = serde_json::to_string(document).expect("a document is plain data");
    vec![id.to_owned().into(), updated.into(), text.into()]
}

/// Writes changes until there can be no more: all that wait in one transaction.
fn write_batches(connection: &mut Connection, waiting: &Receiver<DocumentWrite>) {
    while let Ok(first) = waiting.recv() {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH - 1));
        match commit(connection, &batch) {
            Ok(changed) => {
                for (write, rows) in batch.iter().zip(changed) {
                    let _ = write.done.send(Ok(rows));
                }
            }
            // Each alone: a change that cannot be written does not prevent the others.
            Err(_) => {
                for write in &batch {
                    let written = commit(connection, slice::from_ref(write));
                    let rows = written.map(|changed| changed.iter().sum());
                    let _ = write.done.send(rows.map_err(|error| error.to_string()));
                }
            }
        }
    }
}

/// Commits changes together; returns how many rows each has changed.
fn commit(connection: &mut Connection, batch: &[DocumentWrite]) -> Result<Vec<usize>, rusqlite::Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let write = |write: &DocumentWrite| {
        transaction.prepare_cached(&write.sql)?.execute(params_from_iter(&write.values))
    };
    let changed = batch.iter().map(write).collect::<Result<Vec<_>, _>>()?;
    transaction.commit()?;
    Ok(changed)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    Ok(serde_json::from_str(text)
        .map_err(|error| DatabaseError::Document { reason: ForeignWords::of(&error) })?)
}

fn migrate(connection: &mut Connection) -> Result<(), rusqlite::Error> {
    let version: usize =
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? as usize;
    for (number, step) in MIGRATIONS.iter().enumerate().skip(version) {
        let change = connection.transaction()?;
        change.execute_batch(step)?;
        change.pragma_update(None, "user_version", number as i64 + 1)?;
        change.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_outlive_the_connection() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.sqlite");
        let database = StudioDatabase::open(&path).unwrap();
        for (id, updated) in [("a", 1), ("b", 3), ("c", 2)] {
            database.insert(DocumentKind::Table, id, updated, &id).unwrap();
        }
        database.update(DocumentKind::Table, "a", 4, &"again").unwrap();
        assert!(database.remove(DocumentKind::Table, "c").unwrap());
        drop(database);
        let database = StudioDatabase::open(&path).unwrap();
        assert_eq!(database.newest::<String>(DocumentKind::Table, 9).unwrap(), ["again", "b"]);
        assert_eq!(database.get::<String>(DocumentKind::Table, "a").unwrap().as_deref(), Some("again"));
        assert_eq!(database.get::<String>(DocumentKind::Job, "a").unwrap(), None);
        assert_eq!(database.count(DocumentKind::Table).unwrap(), 2);
    }
    #[test]
    fn a_removed_document_is_not_saved_again() {
        let folder = tempfile::tempdir().unwrap();
        let database = StudioDatabase::open(&folder.path().join("studio.sqlite")).unwrap();
        database.insert(DocumentKind::Job, "a", 1, &"first").unwrap();
        assert!(database.has(DocumentKind::Job, "a").unwrap());
        assert!(database.remove(DocumentKind::Job, "a").unwrap());
        assert_eq!(database.update(DocumentKind::Job, "a", 2, &"later").unwrap_err().code, Code::Unknown);
        assert!(!database.has(DocumentKind::Job, "a").unwrap());
        assert!(!database.remove(DocumentKind::Job, "a").unwrap());
    }

    /// Many writers at once: a change that cannot be written is refused, and those that share its transaction are kept.
    #[test]
    fn a_change_that_fails_does_not_take_others_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.sqlite");
        let database = StudioDatabase::open(&path).unwrap();
        let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON tables WHEN new.updated % 5 = 0
            BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END";
        Connection::open(&path).unwrap().execute_batch(refuse).unwrap();
        thread::scope(|scope| {
            for number in 0..40_i64 {
                let database = &database;
                scope.spawn(move || {
                    let id = number.to_string();
                    let written = database.insert(DocumentKind::Table, &id, number, &number);
                    let expected = if number % 5 == 0 { Some(Code::Failed) } else { None };
                    assert_eq!(written.err().map(|refusal| refusal.code), expected);
                });
            }
        });
        assert_eq!(database.count(DocumentKind::Table).unwrap(), 32);
    }
}
