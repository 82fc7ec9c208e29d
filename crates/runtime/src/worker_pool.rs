//! Worker threads: how many cores a piece of work may use, and how several pieces of work share them.
//!
//! The number of threads changes the time and never the result. Pieces of work that share an [`Allowance`] get equal parts of it; a
//! single piece gets all of it. When a piece begins or ends, the others adapt at the end of their current step (a game, a training
//! step). Work started inside shared work stays within the same part.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use outplay_core::errors;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

errors! {
    /// The system gave no threads.
    pub enum ThreadError {
        NotStarted { reason: String } = "cannot start threads: {reason}" | "impossible de lancer des fils : {reason}",
    }
}

impl From<ThreadPoolBuildError> for ThreadError {
    fn from(error: ThreadPoolBuildError) -> Self {
        Self::NotStarted { reason: error.to_string() }
    }
}

thread_local! {
    /// The share of an allowance that this thread's work has, if any.
    static SHARE: RefCell<Option<CoreShare>> = const { RefCell::new(None) };
}

/// Cores that several long pieces of work share.
#[derive(Debug)]
pub struct Allowance {
    threads: usize,
    sharers: Mutex<ActiveShares>,
}

/// The shares in use, by number, the oldest first.
#[derive(Debug, Default)]
struct ActiveShares {
    present: Vec<u64>,
    next: u64,
}

impl Allowance {
    /// An allowance of this many cores.
    pub fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { threads, sharers: Mutex::default() })
    }

    /// Runs work that has a share of the allowance until it ends.
    pub fn share<R>(self: &Arc<Self>, work: impl FnOnce() -> R) -> R {
        let _seat = ShareGuard::take(self);
        work()
    }

    fn sharers(&self) -> MutexGuard<'_, ActiveShares> {
        self.sharers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A share of an allowance.
#[derive(Clone, Debug)]
struct CoreShare {
    allowance: Arc<Allowance>,
    number: u64,
}

impl CoreShare {
    fn of_this_thread() -> Option<Self> {
        SHARE.with_borrow(Clone::clone)
    }

    /// How many cores it is now: at least one; the remainder of the division goes to the oldest shares.
    fn cores(&self) -> usize {
        let sharers = self.allowance.sharers();
        let all = sharers.present.len().max(1);
        let place = sharers.present.iter().position(|&number| number == self.number).unwrap_or(all);
        let [each, over] = [self.allowance.threads / all, self.allowance.threads % all];
        (each + usize::from(place < over)).max(1)
    }
}

/// Holds a share for this thread's work and gives it back when dropped.
struct ShareGuard {
    part: CoreShare,
    before: Option<CoreShare>,
}

impl ShareGuard {
    fn take(allowance: &Arc<Allowance>) -> Self {
        let mut sharers = allowance.sharers();
        let number = sharers.next;
        sharers.next += 1;
        sharers.present.push(number);
        drop(sharers);
        let part = CoreShare { allowance: Arc::clone(allowance), number };
        let before = SHARE.replace(Some(part.clone()));
        Self { part, before }
    }
}

impl Drop for ShareGuard {
    fn drop(&mut self) {
        self.part.allowance.sharers().present.retain(|&number| number != self.part.number);
        SHARE.replace(self.before.take());
    }
}

/// Threads for work that comes in pieces. The pool adapts its size to its share before each piece.
pub struct WorkerPool {
    most: usize,
    part: Option<CoreShare>,
    pool: Option<ThreadPool>,
}

impl WorkerPool {
    /// A pool of at most this many threads; `None` means one for each core.
    pub fn new(threads: Option<usize>) -> Self {
        Self { most: threads.unwrap_or_else(cores), part: CoreShare::of_this_thread(), pool: None }
    }

    /// The same for this many parallel pieces: more threads would have nothing to do.
    pub fn for_pieces(threads: Option<usize>, pieces: u64) -> Self {
        let pool = Self::new(threads);
        let most = pool.most.min(usize::try_from(pieces).unwrap_or(usize::MAX).max(1));
        Self { most, ..pool }
    }

    /// The largest number of threads.
    pub const fn most(&self) -> usize {
        self.most
    }

    fn wanted(&self) -> usize {
        self.part.as_ref().map_or(self.most, |part| self.most.min(part.cores()))
    }

    /// Whether the pool has as many threads as its share allows now.
    pub fn has_right_size(&self) -> bool {
        self.pool.as_ref().is_some_and(|pool| pool.current_num_threads() == self.wanted())
    }

    /// Rebuilds the pool if its share has changed.
    pub fn resize(&mut self) -> Result<&Self, ThreadPoolBuildError> {
        if !self.has_right_size() {
            self.pool = Some(self.build(self.wanted())?);
        }
        Ok(self)
    }

    fn build(&self, threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
        let part = self.part.clone();
        let inherit_share = move |_| drop(SHARE.replace(part.clone()));
        ThreadPoolBuilder::new().num_threads(threads).start_handler(inherit_share).build()
    }

    fn pool(&self) -> &ThreadPool {
        self.pool.as_ref().expect("the pool was built by resize")
    }

    /// Runs the work once on every thread.
    pub fn broadcast(&self, work: impl Fn() + Sync) {
        self.pool().broadcast(|_| work());
    }

    /// Runs one piece of the work, on as many threads as the share allows now.
    pub fn work<R: Send, E: From<ThreadError> + Send>(
        &mut self,
        piece: impl FnOnce() -> Result<R, E> + Send,
    ) -> Result<R, E> {
        self.resize().map_err(ThreadError::from)?.pool().install(piece)
    }
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How many threads a player that wants `wanted` may start here. In work that shares an allowance every thread
/// is already counted, so the player searches on its caller's thread. More threads than cores would slow each other
/// down and read the clock too late.
pub fn own_threads(wanted: usize) -> usize {
    if CoreShare::of_this_thread().is_some() { 1 } else { wanted.min(cores()) }
}

/// Runs parallel work in one piece on at most this many threads; `None` means one for each core.
pub fn on_threads<R: Send, E: From<ThreadError> + Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<R, E> + Send,
) -> Result<R, E> {
    WorkerPool::new(threads).work(work)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    fn width(pool: &mut WorkerPool) -> usize {
        pool.work(|| Ok::<_, ThreadError>(rayon::current_num_threads())).unwrap()
    }

    #[test]
    fn a_player_in_shared_work_has_the_thread_that_it_is_asked_on() {
        let four = cores().min(4);
        assert_eq!((own_threads(4), own_threads(usize::MAX)), (four, cores()));
        Allowance::new(2).share(|| {
            assert_eq!(own_threads(4), 1);
            assert_eq!(WorkerPool::new(None).work(|| Ok::<_, ThreadError>(own_threads(4))).unwrap(), 1);
        });
        assert_eq!(WorkerPool::new(None).work(|| Ok::<_, ThreadError>(own_threads(4))).unwrap(), four);
    }

    #[test]
    fn work_that_is_alone_has_all_and_two_have_equal_parts() {
        let allowance = Allowance::new(5);
        let (come, came) = channel();
        let (go, gone) = channel::<()>();
        allowance.share(|| {
            let mut pool = WorkerPool::new(Some(16));
            assert_eq!((width(&mut pool), pool.has_right_size()), (5, true));
            let other = thread::spawn({
                let allowance = Arc::clone(&allowance);
                move || {
                    allowance.share(|| {
                        come.send(width(&mut WorkerPool::new(Some(16)))).unwrap();
                        gone.recv().unwrap();
                    });
                }
            });
            assert_eq!(came.recv().unwrap(), 2);
            assert!(!pool.has_right_size());
            assert_eq!((width(&mut pool), pool.has_right_size()), (3, true));
            go.send(()).unwrap();
            other.join().unwrap();
            assert_eq!(width(&mut pool), 5);
        });
        assert!(allowance.sharers().present.is_empty());
    }

    #[test]
    fn work_within_work_stays_within_its_part() {
        let allowance = Allowance::new(2);
        let inner = allowance.share(|| {
            on_threads(Some(8), || on_threads(Some(8), || Ok::<_, ThreadError>(rayon::current_num_threads())))
        });
        assert_eq!(inner.unwrap(), 2);
        let free = on_threads(Some(3), || Ok::<_, ThreadError>(rayon::current_num_threads()));
        assert_eq!(free.unwrap(), 3, "work that shares nothing has what was asked for");
    }

    #[test]
    fn a_part_is_given_back_by_work_that_panics_and_is_never_nothing() {
        let allowance = Allowance::new(1);
        let broken = thread::spawn({
            let allowance = Arc::clone(&allowance);
            move || allowance.share(|| panic!("a fault"))
        });
        broken.join().unwrap_err();
        assert!(allowance.sharers().present.is_empty());
        let [one, other] = [ShareGuard::take(&allowance), ShareGuard::take(&allowance)];
        assert_eq!([one.part.cores(), other.part.cores()], [1, 1]);
    }
}
