import { type Clock, pause } from '../../platform/clock.ts';

/**
 * Devices whose messages wait for an answer at a time. Slow devices do not delay others, and the messages in memory stay
 * few.
 */
const OPEN = 50;
/** Pause after a step, in times that the step took. With 1, heartbeats took more than twice as long (`bench tokens`). */
const PAUSE = 2;
/** Milliseconds. */
const LEAST_PAUSE = 5;
const LONGEST_PAUSE = 500;

/** A message whose answer is awaited, or none. */
export type Step = { executionId: string; send: boolean } | null;

/**
 * The devices whose lists need a step. There is one step at a time, followed by a pause twice as long, so
 * that ten thousand tokens for a thousand devices leave two thirds of the time to the messages of devices.
 */
export function listQueue(parts: {
  clock: Clock;
  /** Takes the answer of a device and plans its next message. */
  step(deviceId: number): Promise<Step>;
  /** Sends the message that was planned. */
  send(deviceId: number): Promise<void>;
  /** no device waits for a step */
  onEmpty(): void;
}) {
  const { clock, step, send, onEmpty } = parts;
  const waiting = new Set<number>();
  /** devices that answered; they are first, because their messages are open */
  const answered = new Set<number>();
  const open = new Map<number, string>();
  let working: Promise<void> | null = null;
  let stopped = false;

  function next(): number | undefined {
    const [first] = answered.size > 0 ? answered : open.size < OPEN ? waiting : [];
    if (first !== undefined) {
      answered.delete(first);
      waiting.delete(first);
    }
    return first;
  }

  async function work(): Promise<void> {
    for (let deviceId = next(); deviceId !== undefined && !stopped; deviceId = next()) {
      const began = performance.now();
      open.delete(deviceId);
      const planned = await step(deviceId);
      if (planned !== null) {
        open.set(deviceId, planned.executionId);
        if (planned.send) await send(deviceId);
      }
      const took = performance.now() - began;
      await pause(clock, Math.min(Math.max(PAUSE * took, LEAST_PAUSE), LONGEST_PAUSE));
    }
  }

  function start(): void {
    if (stopped || working) return;
    working = work().finally(() => {
      working = null;
      if (answered.size > 0) start();
      else if (waiting.size === 0 && !stopped) onEmpty();
    });
  }

  return {
    /** Devices that are due. One whose message was open has its answer, because only such are due. */
    add(deviceIds: readonly number[]): void {
      for (const id of deviceIds) (open.has(id) ? answered : waiting).add(id);
      if (deviceIds.length > 0) start();
    },
    /** A command of a device ended. False when it was none of the open messages. */
    onAnswered(deviceId: number, executionId: string): boolean {
      if (open.get(deviceId) !== executionId) return false;
      answered.add(deviceId);
      start();
      return true;
    },
    /** The messages whose answers are awaited. */
    open: () => [...open.values()],
    async stop(): Promise<void> {
      stopped = true;
      await working;
    },
  };
}
