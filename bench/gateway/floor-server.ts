// The floor: the minimum of a server that validates by schema and responds only after storing. A bare `ws` server that
// stores the same rows as the product (two frames per exchange, the last contact, the state of a connector, readings
// and the latest values) in groups, without sessions, ordering, recovery or limits.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';

interface Waiting {
  socket: WebSocket;
  station: number;
  at: Date;
  id: string;
  action: string;
  payload: { status?: string; meterValue?: { timestamp: string; sampledValue: { value: string }[] }[] };
  text: string;
  answer: string;
}

const TABLES = `
  drop table if exists floor_frames, floor_states, floor_connectors, floor_readings, floor_latest;
  create table floor_frames (id bigint generated always as identity, device_id int not null, at timestamptz not null,
    type smallint not null, action text, message_id text, body text);
  create index on floor_frames (device_id, id);
  create table floor_states (device_id int primary key, last_seen_at timestamptz not null) with (fillfactor = 70);
  create table floor_connectors (device_id int primary key, status text not null, updated_at timestamptz not null) with (fillfactor = 70);
  create table floor_readings (device_id int not null, at timestamptz not null, analog real[] not null);
  create index on floor_readings (device_id, at);
  create table floor_latest (device_id int primary key, at timestamptz not null, analog real[] not null) with (fillfactor = 70)`;

const ajv = new Ajv({ strict: false, validateSchema: false });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();
for (const { $id, ...schema } of createRequire(import.meta.url)('ocpp-rpc/lib/schemas/ocpp1_6.json') as {
  $id: string;
}[]) {
  const name = $id.slice('urn:'.length);
  if (/^(BootNotification|Heartbeat|StatusNotification|MeterValues)\./.test(name))
    validators.set(name, ajv.compile(schema));
}
const ANSWERS: Record<string, () => object> = {
  BootNotification: () => ({ status: 'Accepted', interval: 60, currentTime: new Date().toISOString() }),
  Heartbeat: () => ({ currentTime: new Date().toISOString() }),
  StatusNotification: () => ({}),
  MeterValues: () => ({}),
};

const pool = process.env.DATABASE_URL ? new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 }) : null;
await pool?.query(TABLES);
let waiting: Waiting[] = [];
let busy = 0;

async function flush(): Promise<void> {
  if (busy >= 2 || waiting.length === 0 || !pool) return;
  const batch = waiting;
  waiting = [];
  busy += 1;
  const client = await pool.connect();
  try {
    const statuses = batch.filter((one) => one.action === 'StatusNotification');
    const meters = batch.filter((one) => one.action === 'MeterValues');
    const stations = [...new Set(batch.map((one) => one.station))].sort((a, b) => a - b);
    const twice = <T>(values: T[]) => values.flatMap((value) => [value, value]);
    await client.query('begin');
    await client.query({
      name: 'frames',
      text: 'insert into floor_frames (device_id, at, type, action, message_id, body) select * from unnest($1::int[], $2::timestamptz[], $3::int2[], $4::text[], $5::text[], $6::text[])',
      values: [
        twice(batch.map((one) => one.station)),
        twice(batch.map((one) => one.at)),
        batch.flatMap(() => [2, 3]),
        twice(batch.map((one) => one.action)),
        twice(batch.map((one) => one.id)),
        batch.flatMap((one) => [one.text, one.answer]),
      ],
    });
    await client.query({
      name: 'states',
      text: 'insert into floor_states select d, $1 from unnest($2::int[]) d on conflict (device_id) do update set last_seen_at = excluded.last_seen_at',
      values: [new Date(), stations],
    });
    if (statuses.length > 0) {
      await client.query({
        name: 'connectors',
        text: 'insert into floor_connectors select d, s, $1 from unnest($2::int[], $3::text[]) r (d, s) on conflict (device_id) do update set status = excluded.status, updated_at = excluded.updated_at',
        values: [new Date(), statuses.map((one) => one.station), statuses.map((one) => one.payload.status)],
      });
    }
    if (meters.length > 0) {
      const values = [
        meters.map((one) => one.station),
        meters.map((one) => one.payload.meterValue?.[0]?.timestamp),
        meters.map((one) => `{${one.payload.meterValue?.[0]?.sampledValue.map((sample) => sample.value).join(',')}}`),
      ];
      const rows = 'select d, t, a::real[] from unnest($1::int[], $2::timestamptz[], $3::text[]) r (d, t, a)';
      await client.query({ name: 'readings', text: `insert into floor_readings ${rows}`, values });
      await client.query({
        name: 'latest',
        text: `insert into floor_latest ${rows} on conflict (device_id) do update set at = excluded.at, analog = excluded.analog`,
        values,
      });
    }
    await client.query('commit');
    for (const one of batch) one.socket.send(one.answer);
  } finally {
    client.release();
    busy -= 1;
    if (waiting.length > 0) void flush();
  }
}

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
sockets.on('connection', (socket, request) => {
  const station = Number(request.url?.split('-').at(-1));
  socket.on('message', (data) => {
    const text = String(data);
    const [, id, action, payload] = JSON.parse(text) as [number, string, string, Waiting['payload']];
    const body = ANSWERS[action]?.();
    if (!body || !validators.get(`${action}.req`)?.(payload) || !validators.get(`${action}.conf`)?.(body)) {
      return socket.send(JSON.stringify([4, id, 'FormationViolation', '', {}]));
    }
    const answer = JSON.stringify([3, id, body]);
    if (!pool) return socket.send(answer);
    waiting.push({ socket, station, at: new Date(), id, action, payload, text, answer });
    if (waiting.length === 1) setImmediate(flush);
  });
});
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
process.on('SIGINT', () => process.exit(0));
