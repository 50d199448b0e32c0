/**
 * The state machine of everything long-running that a device is requested to do: an upgrade, the upload of a log, a link.
 * Each kind only declares its states and what evidence means (`TaskRules`).
 */

/** Requested of the device, accepted by it, running, or ended. */
export type Phase = 'requested' | 'accepted' | 'running' | 'ended';

export interface Task<State extends string, Reason extends string> {
  state: State;
  /** why it ended without success */
  reason: Reason | null;
  /** the device accepted it, or may have: its response was lost or cannot be read */
  accepted: boolean;
  /** attempts that the device reported as failed */
  failures: number;
  doubt: Doubt<Reason> | null;
}

/** Evidence against a task, which ends it after a time (ms) unless the device reports progress before. */
export interface Doubt<Reason extends string> {
  reason: Reason;
  afterMs: number;
}

/**
 * What a device does that may contradict a task: it runs another version, starts again, reports that it does nothing, or
 * its connection for the task was closed or is lost.
 */
export type Evidence = 'otherVersion' | 'restarted' | 'idle' | 'disconnected' | 'lost';

export interface TaskRules<State extends string, Reason extends string> {
  /** the state of a task that was accepted and does not run yet, if it has its own */
  accepted?: State;
  /** the states of a running task, in order */
  running: readonly State[];
  /** the first state in which a failed attempt no longer counts, because a later one succeeded */
  complete?: State;
  /** the states of an ended task: after success, after a failure and after its timeout */
  ends: { done: State; failed: State; timedOut: State };
  /** what evidence means before the task runs, and in each state in which it runs; without an entry, nothing */
  evidence: Readonly<
    Partial<Record<Evidence, Readonly<Partial<Record<State | 'requested' | 'accepted', Doubt<Reason>>>>>>
  >;
  /** the reason of a timeout in a state */
  timeout(state: State): Reason;
}

export type TaskEvent<State extends string, Reason extends string> =
  | { type: 'accepted' }
  /** a response that cannot be read decides nothing: the device may carry out the task */
  | { type: 'unreadable' }
  /** the command did not reach the device, or the device rejected it */
  | { type: 'refused'; reason: Reason }
  /** without a state: the same one goes on */
  | { type: 'progress'; state?: State }
  /** an attempt failed; the device makes at most `retries` further ones */
  | { type: 'attemptFailed'; reason: Reason; retries: number }
  | { type: 'evidence'; of: Evidence }
  | { type: 'done' }
  /** by the device, by a user, or because a condition is no longer met */
  | { type: 'ended'; reason: Reason }
  /** the time of the task, or of the evidence against it, has passed */
  | { type: 'timeout' };

/** A task that was just requested. */
export function newTask<State extends string>(state: State): Task<State, never> {
  return { state, reason: null, accepted: false, failures: 0, doubt: null };
}

export function phaseOf<S extends string>(
  { running, ends, accepted }: Pick<TaskRules<S, never>, 'running' | 'ends' | 'accepted'>,
  task: { state: S; accepted?: boolean },
): Phase {
  if (Object.values(ends).includes(task.state)) return 'ended';
  if (running.includes(task.state)) return 'running';
  return task.accepted || task.state === accepted ? 'accepted' : 'requested';
}

/**
 * The task after an event, or null when the event changes nothing. It only moves forward, and ends once: an ended task
 * keeps its result whatever the device reports.
 */
export function nextTask<S extends string, R extends string, T extends Task<S, R>>(
  rules: TaskRules<S, R>,
  task: T,
  event: TaskEvent<S, R>,
): T | null {
  const phase = phaseOf(rules, task);
  if (phase === 'ended') return null;
  const end = (state: S, reason: R | null): T => ({ ...task, state, reason, doubt: null });
  switch (event.type) {
    case 'accepted':
    case 'unreadable':
      return phase === 'requested' ? { ...task, accepted: true, state: rules.accepted ?? task.state } : null;
    case 'refused':
      return phase === 'running' ? null : end(rules.ends.failed, event.reason);
    case 'progress': {
      const { state = task.state } = event;
      const forward = rules.running.indexOf(state) > rules.running.indexOf(task.state);
      return forward || task.doubt ? { ...task, state: forward ? state : task.state, doubt: null } : null;
    }
    case 'attemptFailed': {
      const { running, complete } = rules;
      if (complete && running.indexOf(task.state) >= running.indexOf(complete)) return null;
      const failures = task.failures + 1;
      return { ...(failures > event.retries ? end(rules.ends.failed, event.reason) : task), failures };
    }
    case 'evidence': {
      const doubt = rules.evidence[event.of]?.[phase === 'running' ? task.state : phase];
      if (!doubt) return null;
      if (doubt.afterMs === 0) return end(rules.ends.failed, doubt.reason);
      // Repeated evidence never gives a task more time.
      return task.doubt && task.doubt.afterMs <= doubt.afterMs ? null : { ...task, doubt };
    }
    case 'done':
      return end(rules.ends.done, null);
    case 'ended':
      return end(rules.ends.failed, event.reason);
    case 'timeout':
      return task.doubt
        ? end(rules.ends.failed, task.doubt.reason)
        : end(rules.ends.timedOut, rules.timeout(task.state));
  }
}
