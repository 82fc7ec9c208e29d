// The server's time. Moments that the server names are compared with its own clock, never with this machine's.

let heard: { now: number; at: number } | null = null;

/** The server says what time it is there, in milliseconds since 1970. */
export function hearTime(now: number, at = performance.now()) {
  heard = { now, at };
}

/** What time it is there now; until the server has said so, what this machine believes. */
export function serverNow(at = performance.now()): number {
  return heard ? heard.now + (at - heard.at) : Date.now();
}
