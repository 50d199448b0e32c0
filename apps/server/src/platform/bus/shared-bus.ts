import { randomInt } from 'node:crypto';
import { type Bus, NoResponder, RequestTimeout } from './bus.ts';
import { localBus } from './local-bus.ts';
import type { Incoming, Transport, TransportEvents } from './transport.ts';

export interface SharedBusOptions {
  /** receives the errors of listeners */
  onError(error: unknown, subject: string): void;
  /** false: this process may be replaced already, so it answers no requests */
  holds?(): boolean;
  /** true: no other process is there, so nothing is sent */
  alone?(): boolean;
  /** how far the clock of the database is ahead of the clock of this process (ms) */
  offsetMs?(): number;
}

/** How long the others may take to say whether they serve a subject. Milliseconds. */
const FIND_MS = 2_000;
/** How often it is checked whether another process has joined. Milliseconds. */
const CHECK_MS = 1_000;

type Wire =
  | { kind: 'publish'; subject: string; message: unknown }
  /** messages were not sent to you */
  | { kind: 'gap' }
  /** who serves the subject? */
  | { kind: 'find'; request: number; subject: string }
  /** `since`: from when (ms since the epoch, by the shared clock) the sender serves it; null: it does not */
  | { kind: 'found'; request: number; since: number | null }
  | { kind: 'request'; request: number; subject: string; body: unknown; timeoutMs: number }
  | { kind: 'answer'; request: number; body?: unknown; error?: string; absent?: boolean };

interface Finding {
  /** the processes that have to answer; null: not known yet */
  peers: readonly number[] | null;
  answered: Set<number>;
  /** who has served the subject for the shortest time */
  newest: { peer: number; since: number } | null;
  check(): void;
}

/**
 * The bus of several processes. Messages within this process do not take the way through the transport.
 *
 * A request first asks all processes that are connected who serves its subject, and then goes to one of them: so that
 * two of them never execute it. Without an answer to the first question it was certainly not executed (`NoResponder`);
 * afterwards that is unknown (`RequestTimeout`).
 */
export async function sharedBus(
  open: (events: TransportEvents) => Promise<Transport>,
  options: SharedBusOptions,
): Promise<Bus> {
  const { onError, holds = () => true, alone = () => false, offsetMs = () => 0 } = options;
  const local = localBus(onError);
  const gapListeners = new Set<() => void>();
  const servedSince = new Map<string, number>();
  const findings = new Map<number, Finding>();
  const answers = new Map<number, (answer: Extract<Wire, { kind: 'answer' }>) => void>();
  let requests = randomInt(1_000_000);
  let wasAlone = alone();

  const gap = () => {
    for (const listener of [...gapListeners]) {
      try {
        listener();
      } catch (error) {
        onError(error, 'gap');
      }
    }
  };
  const transport = await open({ onGap: gap, onMessage: receive });
  const send = (wire: Wire, more: Parameters<Transport['send']>[1] = {}) => transport.send(JSON.stringify(wire), more);

  function receive({ from, text }: Incoming): void {
    const wire = JSON.parse(text) as Wire;
    switch (wire.kind) {
      case 'publish':
        local.publish(wire.subject as never, wire.message as never);
        break;
      case 'gap':
        gap();
        break;
      case 'find': {
        const since = holds() ? (servedSince.get(wire.subject) ?? null) : null;
        void send({ kind: 'found', request: wire.request, since }, { to: from, expiresMs: FIND_MS });
        break;
      }
      case 'found': {
        const finding = findings.get(wire.request);
        if (!finding) return;
        finding.answered.add(from);
        if (wire.since !== null && wire.since >= (finding.newest?.since ?? 0)) {
          finding.newest = { peer: from, since: wire.since };
        }
        finding.check();
        break;
      }
      case 'request':
        void respond(from, wire);
        break;
      case 'answer':
        answers.get(wire.request)?.(wire);
    }
  }

  async function respond(from: number, wire: Extract<Wire, { kind: 'request' }>): Promise<void> {
    const { request, subject, body, timeoutMs } = wire;
    const answer = (more: object) =>
      void send({ kind: 'answer', request, ...more }, { to: from, expiresMs: timeoutMs });
    if (!holds()) return answer({ absent: true });
    try {
      answer({ body: await local.request(subject as never, body as never, timeoutMs) });
    } catch (error) {
      if (error instanceof NoResponder) return answer({ absent: true });
      // The caller has the same timeout.
      if (error instanceof RequestTimeout) return;
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Finds the process that serves a subject; null: none does. */
  async function find(subject: string): Promise<number | null> {
    const request = ++requests;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    let late: NodeJS.Timeout | undefined;
    const finding: Finding = {
      ...{ peers: null, answered: new Set(), newest: null },
      check() {
        if (finding.peers?.every((peer) => finding.answered.has(peer))) resolve(finding.newest?.peer ?? null);
        else if (finding.newest) late ??= setTimeout(() => resolve(finding.newest?.peer ?? null), transport.othersMs);
      },
    };
    findings.set(request, finding);
    const timer = setTimeout(() => resolve(finding.newest?.peer ?? null), FIND_MS);
    try {
      void send({ kind: 'find', request, subject }, { service: subject, expiresMs: FIND_MS }).then((peers) => {
        finding.peers = peers;
        finding.check();
      });
      return await promise;
    } finally {
      findings.delete(request);
      clearTimeout(timer);
      clearTimeout(late);
    }
  }

  async function requestFrom(peer: number, subject: string, body: unknown, timeoutMs: number): Promise<unknown> {
    const request = ++requests;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new RequestTimeout(subject, timeoutMs)), timeoutMs);
    answers.set(request, ({ absent, error, body: answer }) => {
      if (absent) reject(new NoResponder(subject));
      else if (error !== undefined) reject(new Error(error));
      else resolve(answer);
    });
    try {
      void send({ kind: 'request', request, subject, body, timeoutMs }, { to: peer, expiresMs: timeoutMs });
      return await promise;
    } finally {
      answers.delete(request);
      clearTimeout(timer);
    }
  }

  /** A process that has joined got nothing before. */
  const checkAlone = () => {
    const isAlone = alone();
    if (wasAlone && !isAlone) void send({ kind: 'gap' });
    wasAlone = isAlone;
    return isAlone;
  };
  const checking = setInterval(checkAlone, CHECK_MS);
  checking.unref();

  return {
    publish(subject, message) {
      local.publish(subject, message);
      if (!checkAlone()) void send({ kind: 'publish', subject, message });
    },
    publishHere: local.publish,
    subscribe: local.subscribe,
    serve(subject, responder) {
      const stop = local.serve(subject, responder);
      const since = Date.now() + offsetMs();
      servedSince.set(subject, since);
      transport.serves?.(subject, true);
      return () => {
        stop();
        if (servedSince.get(subject) !== since || local.serves(subject)) return;
        servedSince.delete(subject);
        transport.serves?.(subject, false);
      };
    },
    async request(subject, body, timeoutMs) {
      if (local.serves(subject)) return await local.request(subject, body, timeoutMs);
      const peer = checkAlone() ? null : await find(subject);
      if (peer === null) throw new NoResponder(subject);
      return (await requestFrom(peer, subject, body, timeoutMs)) as never;
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    offsetMs,
    async close() {
      clearInterval(checking);
      gapListeners.clear();
      await transport.close();
      await local.close();
    },
  };
}
