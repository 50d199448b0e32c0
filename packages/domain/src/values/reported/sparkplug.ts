/** A message of a Sparkplug edge node, reduced to birth, death and sequence (Sparkplug 3.0 §6.4.7). */
export type EdgeMessage =
  | { type: 'NBIRTH'; seq: number | null; bdSeq: number | null }
  | { type: 'NDEATH'; bdSeq: number | null }
  | { type: 'NDATA'; seq: number | null }
  | { type: 'DBIRTH' | 'DDEATH' | 'DDATA'; seq: number | null; device: string };

/** A message that arrived early, and how long (ms since the epoch) to wait for the missing messages before it. */
export interface HeldMessage<M> {
  message: M;
  until: number;
}

/** The state of an edge node. */
export interface EdgeState<M extends EdgeMessage = EdgeMessage> {
  /** between a birth and its death */
  alive: boolean;
  /** the number that links the current birth to its death; null when the birth had none */
  bdSeq: number | null;
  /** the next sequence number, 0 to 255 */
  next: number;
  /** devices of the node that were born since its own birth */
  devices: ReadonlySet<string>;
  /** early messages, in the order of arrival */
  held: readonly HeldMessage<M>[];
  /** a message is missing: everything except a birth is ignored until it arrives */
  broken: boolean;
  /** time of the last rebirth request, ms since the epoch */
  rebirthRequestedAt: number | null;
}

/**
 * The result of a message. `session`: a birth that starts a session; `reborn`: a birth within a session; `data`;
 * `deviceBorn` and `deviceDied`; `died`: the session ended; `late`: its number was already processed, or it is the
 * death of an earlier session; `unborn`: its metrics are unknown or an earlier message is missing, so it is ignored.
 */
export type EdgeAction =
  | 'session'
  | 'reborn'
  | 'data'
  | 'deviceBorn'
  | 'deviceDied'
  | 'died'
  | 'late'
  | 'unborn'
  | 'missing';

export interface EdgeStep<M extends EdgeMessage> {
  state: EdgeState<M>;
  /** the messages to process, in this order; a held message is not included */
  taken: { message: M; action: EdgeAction }[];
  /** the edge node should be requested to send its births */
  rebirthNeeded: boolean;
}

/** Sequence numbers count from 0 to 255 and restart at 0 (Sparkplug 3.0, tck-id-payloads-sequence-num). */
const SEQUENCE = 256;
/** How long to wait for a missing message: nodes that share a subscription may deliver messages out of order. */
export const REORDER_MS = 2_000;
/** Maximum number of messages held for a missing one. */
export const HELD_LIMIT = 100;
/** Minimum interval between rebirth requests to an edge node. */
export const REBIRTH_EVERY_MS = 10_000;

/** The initial state of an edge node. */
export function unknownEdge<M extends EdgeMessage>(): EdgeState<M> {
  return { alive: false, bdSeq: null, next: 0, devices: new Set(), held: [], broken: false, rebirthRequestedAt: null };
}

/** Processes one message of an edge node at `now` (ms since the epoch). Pure function. */
export function takeEdgeMessage<M extends EdgeMessage>(state: EdgeState<M>, message: M, now: number): EdgeStep<M> {
  const received: EdgeMessage = message;
  if (received.type === 'NBIRTH') return takeBirth(state, message, received);
  if (received.type === 'NDEATH') return takeDeath(state, message, received);
  if (!state.alive || state.broken) return requestRebirth(state, [{ message, action: 'unborn' }], now);
  const ahead = received.seq === null ? 0 : (received.seq - state.next + SEQUENCE) % SEQUENCE;
  if (ahead >= SEQUENCE / 2) return { state, taken: [{ message, action: 'late' }], rebirthNeeded: false };
  if (ahead > 0) return hold(state, message, now);
  return drain(inOrder({ state, taken: [], rebirthNeeded: false }, message, now), now);
}

/** Handles messages that waited too long for a missing one at `now`: they are ignored, and a rebirth is requested. */
export function overdueEdge<M extends EdgeMessage>(state: EdgeState<M>, now: number): EdgeStep<M> {
  if (!state.held.some(({ until }) => until <= now)) return { state, taken: [], rebirthNeeded: false };
  const taken = state.held.map(({ message }) => ({ message, action: 'missing' as const }));
  return requestRebirth({ ...state, held: [], broken: true }, taken, now);
}

function takeBirth<M extends EdgeMessage>(
  state: EdgeState<M>,
  message: M,
  { seq, bdSeq }: Extract<EdgeMessage, { type: 'NBIRTH' }>,
): EdgeStep<M> {
  const same = state.alive && state.bdSeq === bdSeq;
  const born: EdgeState<M> = {
    ...{ alive: true, bdSeq, next: ((seq ?? 0) + 1) % SEQUENCE },
    ...{ devices: new Set<string>(), held: [], broken: false, rebirthRequestedAt: null },
  };
  // Held messages belong to the session that the birth replaced.
  const taken: EdgeStep<M>['taken'] = state.held.map((one) => ({ message: one.message, action: 'missing' as const }));
  taken.push({ message, action: same ? 'reborn' : 'session' });
  return { state: born, taken, rebirthNeeded: false };
}

/** A death only applies to the birth with its number (tck-id-operational-behavior-edge-node-...-bdseq). */
function takeDeath<M extends EdgeMessage>(
  state: EdgeState<M>,
  message: M,
  { bdSeq }: Extract<EdgeMessage, { type: 'NDEATH' }>,
): EdgeStep<M> {
  if (!state.alive || state.bdSeq !== bdSeq) {
    return { state, taken: [{ message, action: 'late' }], rebirthNeeded: false };
  }
  const taken: EdgeStep<M>['taken'] = state.held.map((one) => ({ message: one.message, action: 'missing' as const }));
  taken.push({ message, action: 'died' });
  return { state: unknownEdge(), taken, rebirthNeeded: false };
}

function hold<M extends EdgeMessage>(state: EdgeState<M>, message: M, now: number): EdgeStep<M> {
  const { held } = state;
  if (held.some((one) => seqOf(one.message) === seqOf(message))) {
    return { state, taken: [{ message, action: 'late' }], rebirthNeeded: false };
  }
  const until = held[0]?.until ?? now + REORDER_MS;
  const waiting = { ...state, held: [...held, { message, until }] };
  return waiting.held.length > HELD_LIMIT
    ? overdueEdge(waiting, until)
    : { state: waiting, taken: [], rebirthNeeded: false };
}

/** Processes a message with the next sequence number. */
function inOrder<M extends EdgeMessage>(step: EdgeStep<M>, message: M, now: number): EdgeStep<M> {
  const { state } = step;
  const counted = seqOf(message) === null ? state : { ...state, next: (state.next + 1) % SEQUENCE };
  const put = (next: EdgeState<M>, action: EdgeAction): EdgeStep<M> => ({
    ...{ state: next, taken: [...step.taken, { message, action }], rebirthNeeded: step.rebirthNeeded },
  });
  if (message.type === 'DBIRTH') {
    const devices = new Set(state.devices).add(message.device);
    return put({ ...counted, devices }, 'deviceBorn');
  }
  if (message.type === 'NDATA') return put(counted, 'data');
  if (message.type !== 'DDATA' && message.type !== 'DDEATH') return put(counted, 'late');
  if (!state.devices.has(message.device)) {
    const requested = requestRebirth(counted, [{ message, action: 'unborn' }], now);
    return {
      ...requested,
      taken: [...step.taken, ...requested.taken],
      rebirthNeeded: step.rebirthNeeded || requested.rebirthNeeded,
    };
  }
  if (message.type === 'DDATA') return put(counted, 'data');
  const devices = new Set(state.devices);
  devices.delete(message.device);
  return put({ ...counted, devices }, 'deviceDied');
}

/** Processes the held messages that are now next in the sequence. */
function drain<M extends EdgeMessage>(step: EdgeStep<M>, now: number): EdgeStep<M> {
  for (let current = step; ; ) {
    const { state } = current;
    const due = state.held.find(({ message }) => seqOf(message) === state.next);
    if (!due) return current;
    const held = state.held.filter((one) => one !== due);
    current = inOrder({ ...current, state: { ...state, held } }, due.message, now);
  }
}

function seqOf(message: EdgeMessage): number | null {
  return message.type === 'NDEATH' ? null : message.seq;
}

/** Requests a rebirth, unless one was requested recently. */
function requestRebirth<M extends EdgeMessage>(
  state: EdgeState<M>,
  taken: EdgeStep<M>['taken'],
  now: number,
): EdgeStep<M> {
  const rebirthNeeded = state.rebirthRequestedAt === null || now - state.rebirthRequestedAt >= REBIRTH_EVERY_MS;
  return { state: rebirthNeeded ? { ...state, rebirthRequestedAt: now } : state, taken, rebirthNeeded };
}
