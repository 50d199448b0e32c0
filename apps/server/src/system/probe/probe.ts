import { randomUUID } from 'node:crypto';
import type { ProbeRun, WithDates } from '@chargehand/contract';
import type { ProbeStep } from '@chargehand/domain';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import type { ProbeGateway } from './probe-gateway.ts';

/** How often the probe runs, and after which time a run has failed: together less than the promised 20 seconds. */
export const PROBE_EVERY_MS = 10_000;
export const PROBE_TIMEOUT_MS = 5_000;

/** The other end of the probe: a device with one connection. */
export interface ProbeDevice {
  /** Resolves when the gateway has stored that the device is there. */
  connect(): Promise<void>;
  /** Reports a status. Resolves when the gateway has stored it. */
  report(): Promise<void>;
  /** rejects when the connection fails or ends */
  readonly failed: Promise<never>;
  close(): void;
}

export interface ProbeParts {
  gateway: ProbeGateway;
  /** Starts to connect the device. */
  device(): ProbeDevice;
  link: DeviceLink;
  clock: Clock;
}

/**
 * Runs the way of device messages once, as a device over a real connection: connect, report a status, receive a
 * command and answer it. Each step ends when the server has stored it.
 */
export async function runProbe(parts: ProbeParts, signal: AbortSignal): Promise<WithDates<ProbeRun>> {
  const { gateway, link, clock } = parts;
  const at = clock.now().toISOString();
  const took: Record<ProbeStep, number | null> = { connect: null, status: null, command: null };
  let step: ProbeStep = 'connect';
  const device = parts.device();
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined);
  const cancel = clock.after(PROBE_TIMEOUT_MS, () =>
    late.reject(new Error(`no answer within ${PROBE_TIMEOUT_MS / 1_000} seconds`)),
  );
  signal.addEventListener('abort', () => late.reject(new Error('the server is stopping')), { once: true });
  const timed = async (name: ProbeStep, work: () => Promise<void>) => {
    step = name;
    const began = performance.now();
    await Promise.race([work(), late.promise, device.failed]);
    took[name] = performance.now() - began;
  };
  try {
    await timed('connect', device.connect);
    await timed('status', device.report);
    await timed('command', async () => {
      const executionId = randomUUID();
      const answered = Promise.withResolvers<void>();
      gateway.onAnswer = (id) => id === executionId && answered.resolve();
      const call = { executionId, kind: 'clearCache', connector: 0, params: {} } as const;
      const { outcome } = await link.execute(gateway.deviceId, call);
      if (outcome !== 'sent') throw new Error(`the command was not sent: ${outcome}`);
      await answered.promise;
    });
    const ms = Object.values(took).reduce<number>((sum, one) => sum + (one ?? 0), 0);
    return { at, step: null, error: null, ms, ...steps(took) };
  } catch (error) {
    return { at, step, error: (error as Error).message, ms: null, ...steps(took) };
  } finally {
    cancel();
    gateway.onAnswer = null;
    device.close();
  }
}

function steps(took: Record<ProbeStep, number | null>) {
  return { connectMs: took.connect, statusMs: took.status, commandMs: took.command };
}
