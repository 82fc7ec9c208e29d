//! The studio's SQLite file, which holds tables and jobs.
//!
//! A row is a whole document in JSON; its shape is defined by the module that saves it.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outplay_core::{ForeignWords, errors};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, CodedError, Refusal};

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
            "the studio's data could not be read or written: {reason}"
            | "les données du studio n’ont pu être lues ou écrites : {reason}",
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
}

/// The open database.
pub(crate) struct StudioDatabase {
    connection: Mutex<Connection>,
}

impl StudioDatabase {
    /// Opens or creates the file and migrates it.
    pub(crate) fn open(path: &Path) -> Result<Self, rusqlite::Error> {
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        migrate(&mut connection)?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves a document, replacing an earlier one with the same identifier.
    pub(crate) fn put(
        &self,
        shelf: DocumentKind,
        id: &str,
        updated: i64,
        document: &impl Serialize,
    ) -> Result<(), Refusal> {
        let text = serde_json::to_string(document).expect("a document is plain data");
        let sql =
            format!("INSERT OR REPLACE INTO {} (id, updated, document) VALUES (?1, ?2, ?3)", shelf.name());
        self.lock().prepare_cached(&sql)?.execute(params![id, updated, text])?;
        Ok(())
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
        Ok(self.lock().execute(&sql, [id])? > 0)
    }

    /// How many documents there are.
    pub(crate) fn count(&self, shelf: DocumentKind) -> Result<usize, Refusal> {
        let sql = format!("SELECT COUNT(*) FROM {}", shelf.name());
        Ok(self.lock().query_row(&sql, [], |row| row.get::<_, i64>(0))? as usize)
    }
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
            database.put(DocumentKind::Table, id, updated, &id).unwrap();
        }
        database.put(DocumentKind::Table, "a", 4, &"again").unwrap();
        assert!(database.remove(DocumentKind::Table, "c").unwrap());
        drop(database);
        let database = StudioDatabase::open(&path).unwrap();
        assert_eq!(database.newest::<String>(DocumentKind::Table, 9).unwrap(), ["again", "b"]);
        assert_eq!(database.get::<String>(DocumentKind::Table, "a").unwrap().as_deref(), Some("again"));
        assert_eq!(database.get::<String>(DocumentKind::Job, "a").unwrap(), None);
        assert_eq!(database.count(DocumentKind::Table).unwrap(), 2);
    }
}
