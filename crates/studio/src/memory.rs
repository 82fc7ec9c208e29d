//! What players leave goes back to the system.
//!
//! Law: this changes how much memory an idle server keeps, and nothing else.
//!
//! glibc raises, while a program runs, the size from which a piece of memory is the system's own and goes back to it when it is
//! free; the tables of players soon lie below that size, and what many games leave stays with the server. A size that is set does not
//! rise. glibc reads it from the environment, once, when a program begins.

/// Begins this program again, in the same process, with a size that is set; to be called before anything else is begun.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_memory() {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    const THRESHOLD: &str = "MALLOC_MMAP_THRESHOLD_";
    const BYTES: &str = "1048576";
    if env::var_os(THRESHOLD).is_some() {
        return;
    }
    let mut words = env::args_os();
    if let (Ok(program), Some(name)) = (env::current_exe(), words.next()) {
        // If this program cannot be begun again, it goes on as it is and keeps more.
        let _ = Command::new(program).arg0(name).args(words).env(THRESHOLD, BYTES).exec();
    }
}

/// Elsewhere the system's allocator is left alone.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_memory() {}
