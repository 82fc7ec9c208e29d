// Long work as the page follows it: all of a kind, or one with its records.

import { api, Refusal } from '../lib/api';
import { live } from '../lib/live.svelte';
import type { Job, JobRequest } from '../lib/types';
import { router, writePlace } from '../lib/router.svelte';
import { notices } from './notices.svelte';

/** All jobs of some kinds, newest first. */
export class JobList {
  jobs = $state.raw<Job[] | null>(null);
  readonly kinds: JobRequest['kind'][];

  constructor(...kinds: JobRequest['kind'][]) {
    this.kinds = kinds;
  }

  follow(): () => void {
    return live.subscribe('jobs', (message) => {
      if ('jobs' in message) this.jobs = message.jobs.filter((job) => this.kinds.includes(job.kind));
    });
  }
}

export type Rec = Record<string, unknown>;

/** One job with all its records. */
export class JobState {
  job = $state.raw<Job | null>(null);
  records = $state.raw<Rec[]>([]);
  failure = $state.raw<unknown>(null);

  constructor(readonly id: string) {}

  follow(): () => void {
    return live.subscribe(`job:${this.id}`, (message) => {
      if ('error' in message) this.failure = new Refusal(404, message.error.code, message.error.message);
      if (!('job' in message)) return;
      this.failure = null;
      this.job = message.job;
      const { from, records } = message;
      if (!records || typeof from !== 'number') return;
      if (records.length > 0) this.records = [...this.records.slice(0, from), ...records];
      else if (from < this.records.length) this.records = this.records.slice(0, from);
    });
  }
}

/** The screen of a job. */
export function jobPlace({ id, kind }: Pick<Job, 'id' | 'kind'>): string {
  if (kind === 'evaluation') return writePlace(['train', 'evaluation', id]);
  return writePlace([kind === 'tournament' ? 'arena' : 'train', id]);
}

/** What is asked for once at a time, and shown on a screen of its own when it is there. */
export class Launch {
  busy = $state(false);

  async start(begin: () => Promise<Job>) {
    this.busy = true;
    try {
      router.go(jobPlace(await begin()));
    } catch (error) {
      notices.trouble(error);
    } finally {
      this.busy = false;
    }
  }
}

export async function act(id: string, what: 'pause' | 'resume' | 'stop') {
  try {
    await api.jobAct(id, what);
  } catch (error) {
    notices.trouble(error);
  }
}
