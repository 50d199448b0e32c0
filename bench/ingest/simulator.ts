// Simulated piles in a separate process: each sends the requested number of values at the requested interval, and
// occasionally a fault and its end. argv: URL, piles, values of each message
import { WebSocket } from 'ws';

const [, , url = '', piles = '0', items = '0'] = process.argv;
/** Simultaneous handshakes. */
const PARALLEL = 200;
/** One message in this many is a fault, and the next one its end. */
const FAULT_EVERY = 200;

const MEASURANDS = [
  ['Power.Active.Import', 'W'],
  ['Power.Active.Export', 'W'],
  ['Power.Reactive.Import', 'var'],
  ['Power.Factor', ''],
  ['Current.Import', 'A'],
  ['Current.Export', 'A'],
  ['Voltage', 'V'],
  ['Temperature', 'Celsius'],
  ['Frequency', ''],
  ['Energy.Active.Import.Register', 'Wh'],
] as const;
const PHASES = ['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'] as const;
/** The quantities of a message; every tenth is a counter. */
const QUANTITIES = Array.from({ length: Number(items) }, (_, n) => ({
  measurand: MEASURANDS[n % MEASURANDS.length]!,
  phase: PHASES[Math.floor(n / MEASURANDS.length) % PHASES.length]!,
}));

interface Pile {
  socket: WebSocket;
  turn: number;
  faulted: boolean;
  waiting: { id: string; since: number } | null;
}

const figures = { answered: 0, refused: 0, late: 0, times: [] as number[] };
const connected: Pile[] = [];
let timers: NodeJS.Timeout[] = [];

function open(number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url}/BENCH-${String(number).padStart(6, '0')}`, ['ocpp1.6'], {
      perMessageDeflate: false,
      handshakeTimeout: 60_000,
    });
    const pile: Pile = { socket, turn: 0, faulted: false, waiting: null };
    socket.on('message', (data) => {
      const [type, id] = JSON.parse(String(data)) as [number, string];
      if (!pile.waiting || pile.waiting.id !== id) return;
      if (pile.turn === 1) resolve();
      if (type === 3) {
        figures.answered += 1;
        figures.times.push(performance.now() - pile.waiting.since);
      } else figures.refused += 1;
      pile.waiting = null;
    });
    socket.on('error', reject);
    socket.on('open', () => {
      connected.push(pile);
      send(pile, number, 'BootNotification', { chargePointVendor: 'Bench', chargePointModel: 'Pile' });
    });
  });
}

function send(pile: Pile, number: number, action: string, payload: object): void {
  const id = `${process.pid}-${number}-${pile.turn}`;
  pile.turn += 1;
  pile.waiting = { id, since: performance.now() };
  pile.socket.send(JSON.stringify([2, id, action, payload]));
}

function sendReadings(pile: Pile, number: number): void {
  // A pile waits for its response before the next message (OCPP-J 1.6 §4.1.1). Messages that it could not send in time
  // are counted.
  if (pile.waiting) {
    figures.late += 1;
    return;
  }
  const timestamp = new Date().toISOString();
  if (pile.faulted || (pile.turn + number) % FAULT_EVERY === 0) {
    const errorCode = pile.faulted ? 'NoError' : 'GroundFailure';
    const status = pile.faulted ? 'Available' : 'Faulted';
    pile.faulted = !pile.faulted;
    send(pile, number, 'StatusNotification', { connectorId: 1, errorCode, status, timestamp });
    return;
  }
  const sampledValue = QUANTITIES.map(({ measurand: [measurand, unit], phase }, n) => ({
    value: (measurand.startsWith('Energy')
      ? pile.turn * 10 + n
      : 200 + ((pile.turn * 7 + n * 13 + number) % 1_000) / 10
    ).toFixed(1),
    context: 'Sample.Periodic',
    measurand,
    phase,
    ...(unit === '' ? {} : { unit }),
  }));
  send(pile, number, 'MeterValues', { connectorId: 1, meterValue: [{ timestamp, sampledValue }] });
}

let next = 1;
const connect = async () => {
  while (next <= Number(piles)) await open(next++);
};
await Promise.all(Array.from({ length: PARALLEL }, connect));
process.send?.('connected');

process.on('message', (message: { interval: number } | 'figures') => {
  if (message === 'figures') {
    const sorted = Float64Array.from(figures.times).sort();
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    process.send?.({ answered: figures.answered, refused: figures.refused, late: figures.late, p99 });
    Object.assign(figures, { answered: 0, refused: 0, late: 0, times: [] });
    return;
  }
  for (const timer of timers) clearTimeout(timer);
  const { interval } = message;
  // Distributed evenly over the interval, as with clocks that are not synchronized.
  timers = connected.map((pile, index) => {
    const timer = setTimeout(
      function again() {
        timers[index] = setTimeout(again, interval);
        sendReadings(pile, index + 1);
      },
      (index / connected.length) * interval,
    );
    return timer;
  });
});
process.on('SIGTERM', () => process.exit(0));
