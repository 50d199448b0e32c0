import { crc32, deflateSync } from 'node:zlib';
import { type EditedDeviceModel, ENDPOINTS } from '@chargehand/contract';
import type { DatabaseConnection } from '../apps/server/src/platform/database/connect.ts';
import { type Client, client, openSession } from '../apps/server/src/testing/client.ts';
import { putObject, sha256 } from '../apps/server/src/testing/objects/object-keys.ts';
import { signedContent } from '../apps/server/src/testing/objects/signed-content.ts';
import { WORLD_PASSWORD_HASH } from '../apps/server/src/testing/world.ts';

interface Ground {
  url: string;
  database: DatabaseConnection;
  /** the fleet has a history of its own */
  history?: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Past user actions of the demo fleet, so that no page is empty unnecessarily. */
export async function fillPast({ url, database, history = false }: Ground): Promise<void> {
  const { pool } = database;
  const [root] = (
    await pool.query<{ id: number }>(
      `update users set password_state = 'own', password_hash = $1, email = 'ada@example.org' where root
        returning id::int`,
      [WORLD_PASSWORD_HASH],
    )
  ).rows;
  await pool.query(
    'insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies on conflict do nothing',
    [root!.id],
  );
  const person = client(url, await openSession(database.db, root!.id));
  const device = async (sn: string) =>
    (
      await pool.query<{ id: number; model: number }>(
        'select id::int, device_model_id::int as model from devices where sn = $1',
        [sn],
      )
    ).rows[0]!;
  const [charging, faulted, third] = [await device('SIM00001'), await device('SIM00002'), await device('SIM00003')];
  await addUsers(pool);
  await describeModel({ url, person, pool, modelId: charging.model });
  await addFirmware({ url, person, modelId: charging.model });
  await careFor(url, person, charging.id, third.id);
  await setParameters(person, charging.id, faulted.id);
  await handleAlarms(person);
  if (!history) await addHistory(pool, charging.id);
  await addUnreportedSessions(pool, charging.id);
  const body = { kind: 'uploadLog', transport: 'http', logType: 'diagnostics' } as const;
  await person.data(ENDPOINTS.sendCommand, { params: { id: charging.id }, body });
  const batch = { kind: 'softReset', deviceIds: await onOneSite(pool), leaveOut: true } as const;
  await person.call(ENDPOINTS.createBatch, { body: batch });
}

type Pool = DatabaseConnection['pool'];

/** Charging sessions whose end the device did not report, and one with a wrong clock. */
async function addUnreportedSessions(pool: Pool, deviceId: number): Promise<void> {
  await pool.query(
    `insert into transactions (device_id, connector, id_tag, meter_start, started_at, stopped_at, stop_reason, stop_cause,
       closed_by_name, close_comment, clock_fault)
     values
       ($1, 1, 'UNREPORTED1', 0, now() - interval '3 hours', now() - interval '150 minutes', 'NotReported', 'boot', null, null, false),
       ($1, 1, 'UNREPORTED2', 0, now() - interval '130 minutes', now() - interval '2 hours', 'NotReported', 'closedByUser',
        'mandy_ho', 'Power failed at the site; no vehicle was plugged in when I got there.', false),
       ($1, 1, 'WRONGCLOCK', 100, '2000-01-01T00:00:12Z', now() - interval '100 minutes', 'EVDisconnected', null, null, null, true)`,
    [deviceId],
  );
}

async function addUsers(pool: Pool): Promise<void> {
  await pool.query(
    `insert into users (user_name, nick_name, email, password_hash, customer_id, role_id, contact)
     select v.name, v.nick, v.name || '@example.org', 'none', c.id, (select min(id) from roles), v.contact
       from (values ('mandy_ho', 'Mandy Ho', 'HARBOUR', '+852 5550 0102'), ('zhou_min', '周敏', 'PENGCHENG', '+86 755 5550 0201'))
              as v (name, nick, code, contact)
       join customers c on c.code = v.code
     on conflict do nothing`,
  );
  const browser =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  await pool.query(
    `insert into login_logs (type, reason, succeeded, user_id, user_name, address, user_agent)
     select v.type, v.reason, v.succeeded, u.id, u.user_name, '203.0.113.17', $1
       from users u, (values (0, null, true), (1, 'loggedOut', true), (0, 'authRejected', false))
              as v (type, reason, succeeded)
      where u.user_name in ('mandy_ho', 'zhou_min')`,
    [browser],
  );
  await pool.query(
    `insert into outgoing_mails (receiver, locale, subject, body_text)
     values ('mandy_ho@example.org', 'en-US', 'Welcome to Chargehand', 'Choose your password: https://example.org/choose'),
            ('zhou_min@example.org', 'zh-CN', '欢迎使用 Chargehand', '请设置密码：https://example.org/choose')`,
  );
}

interface OfModel extends Pick<Ground, 'url'> {
  person: Client;
  modelId: number;
}

/** The picture and icon of a model, rules on its measurements, and names for its vendor codes. */
async function describeModel({ url, person, pool, modelId }: OfModel & { pool: Pool }): Promise<void> {
  const params = { id: modelId };
  const { origins: _, resolved: __, ...model } = await person.data(ENDPOINTS.readDeviceModel, { params });
  const { rows } = await pool.query<{ id: number }>(
    `select id::int from data_items where key = any('{SoC,Energy.Active.Import.Register}') order by key desc`,
  );
  const credential = await person.data(ENDPOINTS.writeCredentials);
  const put = (name: string, size: number) => putObject(url, credential, name, picture(size, size));
  const rule = {
    ...{ removed: false, enabled: true, connector: null, values: [], dataItemId: rows[0]!.id, hysteresis: 1 },
  };
  const body: EditedDeviceModel = {
    ...{ version: model.version, name: model.name, type: model.type, parentId: model.parentId, vendor: model.vendor },
    ...{ sshSupport: model.sshSupport, webSupport: model.webSupport, tolerant: model.tolerant },
    ...{ parameterReadLevel: model.parameterReadLevel, parameterWriteLevel: model.parameterWriteLevel },
    ...{ controlLevel: model.controlLevel, ...model.own },
    imageKey: await put('model.png', 240),
    iconKey: await put('icon.png', 64),
    rules: [
      {
        ...{ ...rule, code: 'SoC.High', name: { en: 'Battery nearly full', zh: '电池即将充满' }, kind: 'alarm' },
        ...{ level: 'OA', condition: 'above', low: null, high: 98, durationSeconds: 120 },
      },
      {
        ...{
          ...rule,
          code: 'Meter.Silent',
          dataItemId: rows[1]!.id,
          name: { en: 'No meter reading for a day', zh: '一天未上报电表读数' },
        },
        ...{
          kind: 'fault',
          level: 'MA',
          condition: 'missing',
          low: null,
          high: null,
          durationSeconds: 86_400,
          hysteresis: 0,
        },
      },
    ],
  };
  await person.data(ENDPOINTS.updateDeviceModel, { params, body });
  const codes = [
    ['E-1042', 'Cabinet fan blocked, output is reduced', '机柜风扇堵转，输出降额', 'alarm', 'MA'],
    ['E-7001', 'Insulation monitor failed its self-test', '绝缘监测自检失败', 'fault', 'CA'],
  ] as const;
  for (const [code, nameEn, nameZh, kind, level] of codes) {
    await person.data(ENDPOINTS.saveAlarmCode, { params, body: { code, nameEn, nameZh, kind, level } });
  }
  const alias = { vendor: 'HarbourVolt', model: 'HV-DC-120', deviceModelId: modelId };
  await person.call(ENDPOINTS.createModelAlias, { body: alias });
}

async function addFirmware({ url, person, modelId }: OfModel): Promise<void> {
  const files = [
    ['software', '4.2.0', 'Fixes the meter that stopped after midnight', 3_400_000],
    ['software', '4.3.1', 'Plug and charge; needs 4.2.0 before', 3_700_000],
    ['plc', '1.0.9', '', 420_000],
  ] as const;
  for (const [kind, version, note, size] of files) {
    const content = Buffer.alloc(size, `version: ${version}\n`);
    const key = await putObject(
      url,
      await person.data(ENDPOINTS.firmwareCredentials),
      `${kind}-${version}.bin`,
      content,
    );
    const body = {
      ...{ kind, version, note, key, size, sha256: sha256(content), deviceModelIds: [modelId] },
      fileName: `harbourvolt-${kind}-${version}.bin`,
      ...(version === '4.3.1' ? await signedContent(content) : {}),
    };
    await person.data(ENDPOINTS.registerFirmware, { body });
  }
}

async function careFor(url: string, person: Client, id: number, worked: number): Promise<void> {
  const params = { id };
  for (const note of ['Filters changed, contactors cleaned', '更换防尘滤网，紧固直流母排']) {
    await person.data(ENDPOINTS.recordMaintenance, { params, body: { note } });
  }
  await person.data(ENDPOINTS.beginMaintenance, {
    params: { id: worked },
    body: { note: 'Waits for a new contactor' },
  });
  const credential = await person.data(ENDPOINTS.writeCredentials);
  for (const [name, width, height] of [
    ['front.png', 480, 640],
    ['cabinet.png', 800, 500],
  ] as const) {
    const image = await putObject(url, credential, name, picture(width, height));
    await person.data(ENDPOINTS.addDeviceImage, { params, body: { image } });
  }
}

/** Reads the parameters of two devices, saves those of one as a baseline, and sets some of them. */
async function setParameters(person: Client, id: number, other: number): Promise<void> {
  for (const one of [id, other]) await runCommand(person, one, { kind: 'refreshConfiguration' });
  await person.data(ENDPOINTS.createParameterBaseline, { params: { id }, body: { name: 'As delivered' } });
  for (const value of ['120', '300']) {
    await runCommand(person, id, { kind: 'setParameter', key: 'HeartbeatInterval', value });
  }
  await runCommand(person, id, { kind: 'setParameter', key: 'LocalPreAuthorize', value: 'true' });
}

type SentCommand = { kind: 'refreshConfiguration' } | { kind: 'setParameter'; key: string; value: string };

/** Sends a command to a device and waits until the execution ends, with any result. */
async function runCommand(person: Client, id: number, body: SentCommand): Promise<void> {
  const sent = await person.call(ENDPOINTS.sendCommand, { params: { id }, body });
  if (sent.code !== 0) return;
  const params = { id, executionId: sent.data.id };
  const until = Date.now() + MINUTE;
  while ((await person.data(ENDPOINTS.readExecution, { params })).state !== 'ended' && Date.now() < until) {
    await new Promise((later) => setTimeout(later, 200));
  }
}

async function handleAlarms(person: Client): Promise<void> {
  const { items } = await person.data(ENDPOINTS.listAlarms, { query: { limit: 20 } });
  const [first, second] = items;
  if (first) {
    await person.call(ENDPOINTS.acknowledgeAlarms, {
      body: { ids: [first.id], note: 'Technician is on the way' } as never,
    });
  }
  for (const comment of ['Fan was replaced in spring, same symptom.', '已联系站长断电，预计 20:30 到场。']) {
    for (const alarm of [first, second]) {
      if (alarm) await person.call(ENDPOINTS.commentAlarm, { params: { id: alarm.id }, body: { comment } });
    }
  }
}

/** A day of readings before the simulated hour, with a gap. */
async function addHistory(pool: Pool, id: number): Promise<void> {
  const items = [
    { key: 'Energy.Active.Import.Register', unit: 'Wh', counter: true },
    { key: 'Power.Active.Import', unit: 'W', counter: false },
    { key: 'SoC', unit: 'Percent', counter: false },
  ];
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  await pool.query(
    `with layout as (insert into reading_layouts (items) values ($1) on conflict do nothing returning id)
     insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select $2, 1, t, t, id, array[42000 + 18000 * sin(extract(epoch from t) / 5400), 50 + 45 * sin(extract(epoch from t) / 9000)]::real[],
            array[extract(epoch from t) / 10]::float8[]
       from layout, generate_series($3::timestamptz, $4, '1 minute') t
      where t not between $5 and $6`,
    [JSON.stringify(items), id, ...[23, 1, 9, 7.5].map((hours) => new Date(now - hours * HOUR))],
  );
}

async function onOneSite(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id::int from devices where site_id = (select site_id from devices where sn = 'SIM00005')
        and sn like 'SIM0%' and sn <> 'SIM00001' order by sn`,
  );
  return rows.map(({ id }) => id);
}

/** A drawing of a generic pile with a screen and an outlet, as PNG of the given size. */
export function picture(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [x / width, y / height];
      const slab = u > 0.28 && u < 0.72 && v > 0.1;
      const screen = u > 0.36 && u < 0.64 && v > 0.2 && v < 0.4;
      const outlet = Math.hypot((u - 0.5) * width, (v - 0.62) * height) < 0.1 * Math.min(width, height);
      const [r, g, b] = outlet
        ? [22, 119, 210]
        : screen
          ? [25, 34, 48]
          : slab
            ? [226, 232, 240]
            : [148 - 60 * v, 174 - 50 * v, 196 - 40 * v];
      rows.set([r, g, b], y * (1 + width * 3) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.set(named, 4);
  out.writeUInt32BE(crc32(named), data.length + 8);
  return out;
}
