import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** The results of a run of charge points. */
export interface Measured {
  answered: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  refused: number;
}

const ACTIONS = ['Heartbeat', 'StatusNotification', 'MeterValues'] as const;
export type Action = (typeof ACTIONS)[number] | 'BootNotification';

const sample = (measurand: string, unit: string, value: number, phase?: string) => ({
  value: value.toFixed(1),
  context: 'Sample.Periodic',
  measurand,
  unit,
  ...(phase ? { phase } : {}),
});

const PAYLOADS: Record<Action, (turn: number) => object> = {
  BootNotification: () => ({ chargePointVendor: 'Bench', chargePointModel: 'Pile', firmwareVersion: '1.0.0' }),
  Heartbeat: () => ({}),
  StatusNotification: (turn) => ({
    connectorId: 1,
    errorCode: 'NoError',
    // Every report is a change: a charge point sends the kinds in turns, and their number is odd.
    status: turn % 2 ? 'Available' : 'Preparing',
    timestamp: new Date().toISOString(),
  }),
  MeterValues: (turn) => ({
    connectorId: 1,
    meterValue: [
      {
        timestamp: new Date().toISOString(),
        sampledValue: [
          sample('Energy.Active.Import.Register', 'Wh', 1_000 + turn),
          sample('Power.Active.Import', 'W', 7_200 + (turn % 100)),
          sample('Voltage', 'V', 230 + (turn % 7), 'L1'),
          sample('Current.Import', 'A', 31 + (turn % 5) / 10, 'L1'),
          sample('SoC', 'Percent', turn % 100),
        ],
      },
    ],
  }),
};

export interface ChargePoint {
  socket: WebSocket;
  /**
   * Sends a CALL and resolves with the milliseconds until its CALLRESULT. Rejects on a CALLERROR or a lost connection.
   */
  call(action: Action): Promise<number>;
}

/** Opens the connection of one charge point. */
export function connect(base: string, number: number): Promise<ChargePoint> {
  const socket = new WebSocket(`${base}/BENCH-${String(number).padStart(6, '0')}`, ['ocpp1.6'], {
    perMessageDeflate: false,
    handshakeTimeout: 60_000,
  });
  const run = `${Date.now().toString(36)}${number}`;
  let turn = 0;
  let waiting: { id: string; since: number; resolve(ms: number): void; reject(error: Error): void } | null = null;
  socket.on('message', (data) => {
    const [type, id] = JSON.parse(String(data)) as [number, string];
    const mine = waiting;
    if (!mine || mine.id !== id) return;
    waiting = null;
    if (type === 3) mine.resolve(performance.now() - mine.since);
    else mine.reject(new Error(String(data)));
  });
  socket.on('close', (code, reason) => waiting?.reject(new Error(`closed ${code} ${reason}`)));
  const point: ChargePoint = {
    socket,
    call(action) {
      const id = `${run}-${turn}`;
      const text = JSON.stringify([2, id, action, PAYLOADS[action](turn)]);
      turn += 1;
      return new Promise((resolve, reject) => {
        waiting = { id, since: performance.now(), resolve, reject };
        socket.send(text);
      });
    },
  };
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(point));
    socket.once('error', reject);
  });
}

/**
 * Every charge point sends the next message as soon as the previous one is answered, alternating between the three
 * kinds.
 */
export async function closedLoop(points: readonly ChargePoint[], warmUp: number, seconds: number): Promise<Measured> {
  const times: number[] = [];
  let refused = 0;
  const from = performance.now() + warmUp * 1_000;
  const until = from + seconds * 1_000;
  await Promise.all(
    points.map(async (point, number) => {
      for (let turn = number; performance.now() < until; turn += 1) {
        try {
          const time = await point.call(ACTIONS[turn % ACTIONS.length] ?? 'Heartbeat');
          const now = performance.now();
          if (now >= from && now < until) times.push(time);
        } catch {
          refused += 1;
          if (point.socket.readyState !== point.socket.OPEN) return;
        }
      }
    }),
  );
  return { ...percentiles(times), answered: times.length, seconds, perSecond: times.length / seconds, refused };
}

/**
 * A fleet at a rate: `perSecond` messages of all charge points together, each charge point in its turn, whatever the
 * server does. The time of an answer counts from the moment when its message was due.
 */
export async function openLoop(
  points: readonly ChargePoint[],
  perSecond: number,
  warmUp: number,
  seconds: number,
  actions: readonly Action[] = ACTIONS,
): Promise<Measured> {
  const times: number[] = [];
  let refused = 0;
  const start = performance.now();
  const from = start + warmUp * 1_000;
  const until = from + seconds * 1_000;
  await Promise.all(
    points.map(async (point, number) => {
      for (let turn = 0; ; turn += 1) {
        const due = start + ((turn * points.length + number) / perSecond) * 1_000;
        if (due >= until) return;
        const early = due - performance.now();
        if (early > 0) await wait(early);
        try {
          await point.call(actions[(turn + number) % actions.length] ?? 'Heartbeat');
          if (due >= from) times.push(performance.now() - due);
        } catch {
          refused += 1;
          if (point.socket.readyState !== point.socket.OPEN) return;
        }
      }
    }),
  );
  return { ...percentiles(times), answered: times.length, seconds, perSecond: times.length / seconds, refused };
}

/** The median and the 99th percentile of times in milliseconds. */
export function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
