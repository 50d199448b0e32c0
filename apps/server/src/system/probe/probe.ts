import { randomUUID } from 'node:crypto';
import type { ProbeRun } from '@chargehand/contract';
import type { ProbeStep } from '@chargehand/domain';
import { WebSocket } from 'ws';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import { PROBE_ID, type ProbeGateway } from './probe-gateway.ts';

/** How often the probe runs, and after which time a run has failed: together less than the promised 20 seconds. */
export const PROBE_EVERY_MS = 10_000;
export const PROBE_TIMEOUT_MS = 5_000;

export interface ProbeParts {
  gateway: ProbeGateway;
  /** the address of the gateway on this machine, without the SN */
  url(): string;
  link: DeviceLink;
  clock: Clock;
}

/**
 * Runs the way of device messages once, as a charge point over a real connection: connect and boot, report a status,
 * receive a command and answer it. Each step ends when the server has stored it.
 */
export async function runProbe(parts: ProbeParts, signal: AbortSignal): Promise<ProbeRun> {
  const { gateway, url, link, clock } = parts;
  const at = clock.now().toISOString();
  const { sn, password } = gateway.identity;
  const took: Record<ProbeStep, number | null> = { connect: null, status: null, command: null };
  let step: ProbeStep = 'connect';
  const device = new ProbeDevice(`${url()}/${sn}`, `Basic ${Buffer.from(`${sn}:${password}`).toString('base64')}`);
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
    await timed('connect', async () => {
      await device.opened;
      await device.call('BootNotification', { chargePointVendor: 'Chargehand', chargePointModel: 'Probe' });
    });
    await timed('status', () =>
      device.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' }),
    );
    await timed('command', async () => {
      const executionId = randomUUID();
      const answered = Promise.withResolvers<void>();
      gateway.onAnswer = (id) => id === executionId && answered.resolve();
      const call = { executionId, kind: 'clearCache', connector: 0, params: {} } as const;
      const { outcome } = await link.execute(PROBE_ID, call);
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

/** A minimal OCPP 1.6 charge point that accepts every command. */
class ProbeDevice {
  readonly opened: Promise<void>;
  /** rejects when the connection fails or ends */
  readonly failed: Promise<never>;
  readonly #socket: WebSocket;
  readonly #calls = new Map<string, { resolve(): void; reject(error: Error): void }>();

  constructor(url: string, authorization: string) {
    // The address is on this machine, and its certificate is that of a public name.
    this.#socket = new WebSocket(url, ['ocpp1.6'], { headers: { authorization }, rejectUnauthorized: false });
    const opened = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<never>();
    this.opened = opened.promise;
    this.failed = failed.promise;
    failed.promise.catch(() => undefined);
    this.#socket.on('open', opened.resolve);
    this.#socket.on('error', failed.reject);
    this.#socket.on('close', (_, reason) => failed.reject(new Error(`the connection ended: ${String(reason)}`)));
    this.#socket.on('message', (data) => this.#receive(String(data)));
  }

  call(action: string, payload: object): Promise<void> {
    const id = randomUUID();
    const answered = Promise.withResolvers<void>();
    this.#calls.set(id, answered);
    this.#socket.send(JSON.stringify([2, id, action, payload]));
    return answered.promise;
  }

  close(): void {
    this.#socket.terminate();
  }

  #receive(text: string): void {
    const [type, id, ...rest] = JSON.parse(text) as [number, string, ...unknown[]];
    if (type === 2) this.#socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    else if (type === 3) this.#calls.get(id)?.resolve();
    else this.#calls.get(id)?.reject(new Error(`the gateway answered ${String(rest[0])}`));
  }
}
