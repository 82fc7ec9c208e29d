//! What the studio remembers: tables and jobs, in one SQLite file.
//!
//! Law: a row is a whole document; what a document means is known to whoever keeps it, not here.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, Refusal};

/// What has been done to the file since it was empty, one step a version.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE tables (id TEXT PRIMARY KEY, updated INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
    CREATE INDEX tables_by_age ON tables (updated DESC);
    CREATE TABLE jobs (id TEXT PRIMARY KEY, updated INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
    CREATE INDEX jobs_by_age ON jobs (updated DESC);
"];

/// Which kind of document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shelf {
    Tables,
    Jobs,
}

impl Shelf {
    const fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Jobs => "jobs",
        }
    }
}

/// The file.
pub(crate) struct Database {
    connection: Mutex<Connection>,
}

impl Database {
    /// Opens the file or makes it, and brings it up to date.
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

    /// Keeps a document, in the place of an earlier one of this name.
    pub(crate) fn put(
        &self,
        shelf: Shelf,
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

    /// The document of this name.
    pub(crate) fn get<T: DeserializeOwned>(&self, shelf: Shelf, id: &str) -> Result<Option<T>, Refusal> {
        let sql = format!("SELECT document FROM {} WHERE id = ?1", shelf.name());
        let text: Option<String> =
            self.lock().prepare_cached(&sql)?.query_row([id], |row| row.get(0)).optional()?;
        text.map(|text| read(&text)).transpose()
    }

    /// The newest documents; those that cannot be read any more are left out.
    pub(crate) fn newest<T: DeserializeOwned>(&self, shelf: Shelf, limit: usize) -> Result<Vec<T>, Refusal> {
        let sql = format!("SELECT document FROM {} ORDER BY updated DESC LIMIT ?1", shelf.name());
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&sql)?;
        let texts = statement.query_map([limit as i64], |row| row.get::<_, String>(0))?;
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        Ok(texts.iter().filter_map(|text| read(text).ok()).collect())
    }

    /// Forgets a document; false if there was none.
    pub(crate) fn remove(&self, shelf: Shelf, id: &str) -> Result<bool, Refusal> {
        let sql = format!("DELETE FROM {} WHERE id = ?1", shelf.name());
        Ok(self.lock().execute(&sql, [id])? > 0)
    }

    /// How many documents there are.
    pub(crate) fn count(&self, shelf: Shelf) -> Result<usize, Refusal> {
        let sql = format!("SELECT COUNT(*) FROM {}", shelf.name());
        Ok(self.lock().query_row(&sql, [], |row| row.get::<_, i64>(0))? as usize)
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    let failed =
        |error| Refusal::new(Code::Failed, format!("a document of the studio cannot be read: {error}"));
    serde_json::from_str(text).map_err(failed)
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
        let database = Database::open(&path).unwrap();
        for (id, updated) in [("a", 1), ("b", 3), ("c", 2)] {
            database.put(Shelf::Tables, id, updated, &id).unwrap();
        }
        database.put(Shelf::Tables, "a", 4, &"again").unwrap();
        assert!(database.remove(Shelf::Tables, "c").unwrap());
        drop(database);
        let database = Database::open(&path).unwrap();
        assert_eq!(database.newest::<String>(Shelf::Tables, 9).unwrap(), ["again", "b"]);
        assert_eq!(database.get::<String>(Shelf::Tables, "a").unwrap().as_deref(), Some("again"));
        assert_eq!(database.get::<String>(Shelf::Jobs, "a").unwrap(), None);
        assert_eq!(database.count(Shelf::Tables).unwrap(), 2);
    }
}
