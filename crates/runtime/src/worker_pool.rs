//! How many cores a piece of work may use, and how several pieces share what there is.
//!
//! The number of threads changes the time and nothing else. Pieces of work that share an [`Allowance`] have equal parts of it; a
//! piece that is alone has all. When one comes or goes, the others follow at the end of their present step (a game, a step of a
//! training). Work within shared work stays within the same part.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// The system gave no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start threads: {0}")]
pub struct ThreadError(#[source] ThreadPoolBuildError);

thread_local! {
    /// The part that the work of this thread has in an allowance, if it has one.
    static SHARE: RefCell<Option<CoreShare>> = const { RefCell::new(None) };
}

/// Cores that several long pieces of work share.
#[derive(Debug)]
pub struct Allowance {
    threads: usize,
    sharers: Mutex<Sharers>,
}

/// Who has a part, by number, the first that came first.
#[derive(Debug, Default)]
struct Sharers {
    present: Vec<u64>,
    next: u64,
}

impl Allowance {
    /// So many cores.
    pub fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self { threads, sharers: Mutex::default() })
    }

    /// Does work that has a part in the allowance for as long as it lasts.
    pub fn share<R>(self: &Arc<Self>, work: impl FnOnce() -> R) -> R {
        let _seat = ShareGuard::take(self);
        work()
    }

    fn sharers(&self) -> MutexGuard<'_, Sharers> {
        self.sharers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of an allowance.
#[derive(Clone, Debug)]
struct CoreShare {
    allowance: Arc<Allowance>,
    number: u64,
}

impl CoreShare {
    fn of_this_thread() -> Option<Self> {
        SHARE.with_borrow(Clone::clone)
    }

    /// How many cores it is now: never none, and of those that are over, the first that came has one more.
    fn cores(&self) -> usize {
        let sharers = self.allowance.sharers();
        let all = sharers.present.len().max(1);
        let place = sharers.present.iter().position(|&number| number == self.number).unwrap_or(all);
        let [each, over] = [self.allowance.threads / all, self.allowance.threads % all];
        (each + usize::from(place < over)).max(1)
    }
}

/// Keeps a part for this thread's work, and gives it back in the end.
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

/// Threads for work that comes in pieces: before each piece there are as many as there may be then.
pub struct WorkerPool {
    most: usize,
    part: Option<CoreShare>,
    pool: Option<ThreadPool>,
}

impl WorkerPool {
    /// At most so many threads; without a number, one for each core.
    pub fn new(threads: Option<usize>) -> Self {
        Self { most: threads.unwrap_or_else(cores), part: CoreShare::of_this_thread(), pool: None }
    }

    /// The same for so many pieces that are done side by side: more threads would find nothing to do.
    pub fn for_pieces(threads: Option<usize>, pieces: u64) -> Self {
        let pool = Self::new(threads);
        let most = pool.most.min(usize::try_from(pieces).unwrap_or(usize::MAX).max(1));
        Self { most, ..pool }
    }

    /// How many there are at most.
    pub const fn most(&self) -> usize {
        self.most
    }

    fn wanted(&self) -> usize {
        self.part.as_ref().map_or(self.most, |part| self.most.min(part.cores()))
    }

    /// Whether the threads are as many as there may be now.
    pub fn has_right_size(&self) -> bool {
        self.pool.as_ref().is_some_and(|pool| pool.current_num_threads() == self.wanted())
    }

    /// Has as many threads from now on as there may be now.
    pub fn resize(&mut self) -> Result<&Self, ThreadPoolBuildError> {
        if !self.has_right_size() {
            self.pool = Some(self.build(self.wanted())?);
        }
        Ok(self)
    }

    fn build(&self, threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
        let part = self.part.clone();
        let settle = move |_| drop(SHARE.replace(part.clone()));
        ThreadPoolBuilder::new().num_threads(threads).start_handler(settle).build()
    }

    fn pool(&self) -> &ThreadPool {
        self.pool.as_ref().expect("the threads have been gathered")
    }

    /// Runs the work once on every thread.
    pub fn broadcast(&self, work: impl Fn() + Sync) {
        self.pool().broadcast(|_| work());
    }

    /// Does one piece of the work, on as many threads as there may be now.
    pub fn work<R: Send, E: From<ThreadError> + Send>(
        &mut self,
        piece: impl FnOnce() -> Result<R, E> + Send,
    ) -> Result<R, E> {
        self.resize().map_err(ThreadError)?.pool().install(piece)
    }
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How many threads of its own a player may start here that wants so many: in work that shares an allowance every thread
/// is counted already, and it thinks on the one that it is asked on. More than there are cores would only keep each other
/// from their work, and from looking at the clock.
pub fn own_threads(wanted: usize) -> usize {
    if CoreShare::of_this_thread().is_some() { 1 } else { wanted.min(cores()) }
}

/// Does parallel work in one piece on at most so many threads; without a number, on one for each core.
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
