//! Starts the build of `outplay` that suits this processor: what a release has under the name `outplay` on x86-64.
//!
//! The builds are in the folder `lib` beside this program. They play and learn alike; the one for newer processors is faster.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let program = match program() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("outplay: cannot find its own folder: {error}");
            return ExitCode::from(2);
        }
    };
    let mut command = Command::new(&program);
    command.args(env::args_os().skip(1));
    match start(&mut command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("outplay: cannot start {}: {error}", program.display());
            ExitCode::from(2)
        }
    }
}

/// The path of the build. A link to this program is followed.
fn program() -> std::io::Result<PathBuf> {
    let own = env::current_exe()?.canonicalize()?;
    Ok(own.with_file_name("lib").join(format!("outplay-{}", level())))
}

/// The newest level of the architecture for which there is a build and which the processor and the system have.
fn level() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let has_v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe");
        if has_v3 { "x86-64-v3" } else { "x86-64-v2" }
    }
    #[cfg(not(target_arch = "x86_64"))]
    env::consts::ARCH
}

/// Becomes the other program; returns only if that fails.
#[cfg(unix)]
fn start(command: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.arg0("outplay").exec())
}

/// Runs the other program to its end.
#[cfg(not(unix))]
fn start(command: &mut Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
