import { availableParallelism } from 'node:os';
import { storableParts } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { quietConnectors, ruleWatch } from '../alarms/index.ts';
import { statusUpdater } from '../fleet/index.ts';
import { secretParameters } from '../models/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Events } from '../ports/events.ts';
import {
  SinkOverloaded,
  type StoreAnswers,
  type StoreConfirmations,
  type Stored,
  type StoreProgress,
  type StoreReports,
  type UplinkEvent,
  type UplinkSink,
} from '../ports/uplink.ts';
import type { Submission } from '../ports/uplink-items.ts';
import { layouts } from '../telemetry/index.ts';
import { isFenced } from './batch/batches.store.ts';
import { type BatchEffects, storeBatch } from './batch/store-batch.ts';
import { isFaultOfData } from './data-faults.ts';
import { submissionRate } from './gathering.ts';
import { lane } from './lane.ts';
import { ingestMetrics } from './metrics.ts';

export interface SinkParts {
  pool: Pool;
  clock: Clock;
  log: Log;
  events: Events;
  /** stores the responses of devices to executions; provided by operations */
  onAnswer: StoreAnswers;
  onConfirmation?: StoreConfirmations;
  /** stores the reported progress of firmware and logs; provided by transfers */
  onReport?: StoreReports;
  /** stores what is known of executions without a response, in the same transaction */
  onProgress?: StoreProgress;
  /** called after the commit; must not throw */
  onStored?: (stored: Pick<BatchEffects, 'connected' | 'booted' | 'answered'>) => void;
  metrics?: Registry;
  /** this process in the rows of its connections; without it, its lease is not checked */
  node?: { key: string; epoch?: number; renew?(): Promise<void> };
  /** the limit of waiting bytes, after which telemetry is rejected */
  queueBytes?: number;
}

/** A sink without a lease, in tests. */
const ONLY_NODE: NonNullable<SinkParts['node']> = { key: 'main' };
const QUEUE_BYTES = 64 * 1024 * 1024;
/**
 * The limit of waiting bytes of one device, so that no device uses the space of the others. A submission that is larger
 * is accepted when nothing else of the device waits: otherwise the device would send it again and again.
 */
const DEVICE_BYTES = 1024 * 1024;
/** How long a stop waits for the database. */
const DRAIN_MS = 10_000;
/** When the oldest submission has waited so long, new ones of other devices go to other lanes. */
const HELD_UP_MS = 100;
/** More lanes than database cores only make the batches smaller. */
const LANES = Math.min(4, Math.max(2, availableParallelism()));

export interface Sink extends UplinkSink {
  /** Models or their devices have changed: read alarm rules and secret parameters again. */
  modelsChanged(): void;
  /** How long the oldest submission has waited to be stored (ms); 0 if none waits. */
  delayMs(): number;
  stop(): Promise<void>;
}

/** Stores everything that devices report (design §6): bounded, fair per device, in order per device. */
export function uplinkSink(parts: SinkParts): Sink {
  const { pool, clock, log, events, node = ONLY_NODE, queueBytes = QUEUE_BYTES } = parts;
  const metrics = ingestMetrics(parts.metrics);
  const rules = ruleWatch();
  const secrets = secretParameters();
  const batchParts = {
    pool,
    node: node.key,
    epoch: node.epoch,
    layouts: layouts(),
    quiet: quietConnectors(),
    rules,
    secrets,
    storeAnswers: parts.onAnswer,
    storeConfirmations: parts.onConfirmation,
    storeReports: parts.onReport,
    storeProgress: parts.onProgress,
  };
  const statuses = statusUpdater({
    client: pool,
    events,
    onError: (error) => log.warn({ err: error }, 'the status of devices could not be derived; trying again'),
  });
  /** what waits of each device, and in which lane: one lane has all of it, so that it keeps its order */
  const devices = new Map<number, { bytes: number; submissions: number; lane: number }>();
  const rate = submissionRate();
  /** the waiting submissions in order of arrival, each with its time (ms since the epoch) */
  const waiting = new Map<Submission, number>();
  let bytes = 0;
  let stopped = false;

  const lanes = Array.from({ length: LANES }, () =>
    lane({
      clock,
      isFaultOfData,
      isFenced(error) {
        if (!isFenced(error)) return false;
        // Finds that the lease has ended, which stops the process.
        void node.renew?.();
        return true;
      },
      async store(batchId, submissions) {
        const end = metrics.commit.startTimer();
        const effects = await storeBatch(batchParts, batchId, submissions);
        end();
        // The probe of the server submits nothing, only to be in the queue.
        const messages = submissions.filter(({ events }) => events.length > 0).length;
        if (messages > 0) metrics.batch.observe(messages);
        for (const [deviceId, topics] of effects.changes) events.publish([...topics], { id: deviceId });
        statuses.changed(effects.touched);
        const { connected, booted, answered } = effects;
        if (connected.length + booted.length + answered.length > 0) parts.onStored?.(effects);
      },
      onRetry(error, attempt) {
        metrics.retries.inc();
        log.warn({ err: error, attempt }, 'uplink events could not be stored; trying again');
      },
      onRefused(error, submission) {
        metrics.refused.inc();
        log.error({ err: error, deviceId: submission.deviceId }, 'uplink events of a device cannot be stored');
      },
    }),
  );

  const forget = (submission: Submission) => {
    bytes -= submission.bytes;
    waiting.delete(submission);
    const device = devices.get(submission.deviceId);
    if (device) {
      device.bytes -= submission.bytes;
      device.submissions -= 1;
      if (device.submissions === 0) devices.delete(submission.deviceId);
    }
    metrics.queuedBytes.set(bytes);
  };

  const delayMs = () => {
    const [oldest] = waiting.values();
    return oldest === undefined ? 0 : clock.now().getTime() - oldest;
  };

  /** The lane of a device of which nothing waits: at everyday rates the first one, so that it gathers more, unless it is held up. */
  const freeLane = (deviceId: number) => (rate.isEveryday() && delayMs() < HELD_UP_MS ? 0 : deviceId % LANES);

  return {
    submit(deviceId, given) {
      if (stopped) return Promise.reject(new SinkOverloaded('The server is stopping'));
      // Here once for all tables: a text that the database refuses would refuse the whole submission each time.
      const events = storableParts(given);
      const size = sizeOf(events);
      const device = devices.get(deviceId) ?? { bytes: 0, submissions: 0, lane: freeLane(deviceId) };
      const own = device.bytes;
      const isFull = bytes + size > queueBytes || (own > 0 && own + size > DEVICE_BYTES);
      if (isFull && events.every(isTelemetry)) {
        metrics.shed.inc();
        return Promise.reject(new SinkOverloaded('Too much is waiting to be stored'));
      }
      bytes += size;
      device.bytes += size;
      device.submissions += 1;
      devices.set(deviceId, device);
      metrics.queuedBytes.set(bytes);
      const receivedAt = clock.now().getTime();
      return new Promise<Stored>((resolve, reject) => {
        const submission: Submission = {
          deviceId,
          events,
          bytes: size,
          stored: { transactionId: null },
          resolve(stored) {
            if (events.length > 0) metrics.stored.observe((clock.now().getTime() - receivedAt) / 1_000);
            forget(submission);
            resolve(stored);
          },
          reject(error) {
            forget(submission);
            reject(error);
          },
        };
        waiting.set(submission, receivedAt);
        rate.arrives(performance.now());
        lanes[device.lane]?.add(submission);
      });
    },
    modelsChanged() {
      rules.forgetAll();
      secrets.forgetAll();
    },
    delayMs,
    async stop() {
      stopped = true;
      const deadline = clock.now().getTime() + DRAIN_MS;
      await Promise.all(lanes.map((one) => one.drain(deadline)));
      await statuses.stop();
    },
  };
}

/** What is rejected first under overload. Alarms, transactions and responses never are (design §6). */
function isTelemetry(event: UplinkEvent): boolean {
  return event.kind === 'frame' || event.kind === 'reading' || event.kind === 'clock' || event.kind === 'messageFault';
}

/** The approximate memory of events: the texts of frames, the values of reports, and a constant for the rest. */
function sizeOf(events: readonly UplinkEvent[]): number {
  let size = 200;
  for (const event of events) size += memoryOf(event);
  return size;
}

const FRAME_BYTES = 200;
const EVENT_BYTES = 400;
/** A value in a report: an object, its key, and its number or the start of its text. */
const VALUE_BYTES = 100;

function memoryOf(event: UplinkEvent): number {
  switch (event.kind) {
    case 'frame':
      return FRAME_BYTES + 2 * (event.body?.length ?? 0);
    case 'reading':
      return EVENT_BYTES + VALUE_BYTES * event.values.length;
    case 'texts':
      return EVENT_BYTES + textsOf(event.values);
    case 'parameters':
      return EVENT_BYTES + textsOf(event.entries);
    default:
      return EVENT_BYTES;
  }
}

function textsOf(values: readonly { value: string | null }[]): number {
  return values.reduce((size, { value }) => size + VALUE_BYTES + 2 * (value?.length ?? 0), 0);
}
