import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { newClient } from 'sparkplug-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { steppedClock } from '../../testing/clock.ts';
import { eventually } from '../../testing/gateways/gateway-testbed.ts';
import {
  connectDevice,
  type MqttDevice,
  type MqttTestbed,
  metric,
  PASSWORD,
  SPARKPLUG_CODEC,
  sparkplug,
  startMqttTestbed,
} from '../../testing/gateways/mqtt-testbed.ts';

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed();
});
afterAll(() => bed.stop());

let numbers = 0;
/** A new edge node with its own connection that records what it receives. */
async function edgeNode(): Promise<{ id: number; sn: string; device: MqttDevice; say: Say }> {
  numbers += 1;
  const sn = `EDGE-${String(numbers).padStart(4, '0')}`;
  const id = await bed.addDevice(sn);
  const device = await connectDevice(bed.mqttUrl, sn);
  await device.client.subscribeAsync([`spBv1.0/site/NCMD/${sn}/#`, `spBv1.0/site/DCMD/${sn}/#`]);
  const say: Say = (type, payload, behind) =>
    device.say(`spBv1.0/site/${type}/${sn}${behind ? `/${behind}` : ''}`, payload);
  return { id, sn, device, say };
}
type Say = (type: string, payload: Buffer, behind?: string) => Promise<void>;

const nextMessage = async (device: MqttDevice) => {
  const { topic, payload } = await device.next();
  const { metrics } = SPARKPLUG_CODEC.decodePayload(payload);
  return { topic, metrics: metrics?.map(({ name, value }) => [name, value]) };
};
const REBIRTH = [['Node Control/Rebirth', true]];
const call = (kind: string, params: object = {}, connector = 0) => ({
  ...{ executionId: randomUUID(), kind: kind as 'softReset', connector, params },
});
const answerTo = (executionId: string) =>
  eventually(
    async () => bed.answers.find((one) => one.executionId === executionId),
    (answer) => answer !== undefined,
  );
const noteOf = async (id: number, action: string) => {
  const frames = await bed.frames(id);
  return frames.findLast((frame) => frame.action === action)?.note ?? null;
};
const CONTROLS = [metric('Node Control/Rebirth', 'Boolean', false), metric('Node Control/Reboot', 'Boolean', false)];

describe('births and data', () => {
  test('a birth fills readings, texts, parameters, version and state; data changes them', async () => {
    const { id, say } = await edgeNode();
    await say(
      'NBIRTH',
      sparkplug(
        [
          ...CONTROLS,
          metric('Properties/Firmware', 'String', '2.1.0'),
          metric('Properties/Model', 'String', 'Wall 10'),
          metric('Battery/SoC', 'Float', 55.5, { alias: 1, properties: { engUnit: { type: 'String', value: '%' } } }),
          metric('Battery/Power', 'Double', -1.25, { alias: 2 }),
          metric('Battery/State', 'Int32', 0, { alias: 3 }),
          metric('Battery/Charged Energy', 'Double', 12345.678),
          metric('Inverter/Fault', 'UInt16', 0, { alias: 4 }),
          metric('Grid/Connected', 'Boolean', true),
          metric('Serviced', 'DateTime', Date.parse('2026-03-01T10:00:00Z')),
          metric('Big', 'Int64', -(2 ** 40)),
          metric('Settings/SoC Min', 'Int32', 10, { alias: 5 }),
          metric('Settings/Grid Charging', 'Boolean', true),
        ],
        { seq: 0, bdSeq: 0 },
      ),
    );
    expect(await bed.readings(id)).toEqual({
      'Battery/SoC': 55.5,
      'Battery/Power': -1.25,
      'Battery/State': 0,
      'Battery/Charged Energy': 12345.678,
      'Inverter/Fault': 0,
      'Grid/Connected': 1,
      Big: -(2 ** 40),
    });
    // Only changes, by alias and without types, as the standard recommends.
    const data = [metric('', 'Float', 56, { alias: 1 }), metric('', 'Int32', 2, { alias: 3 })];
    await say('NDATA', sparkplug(data, { seq: 1 }));
    expect(await bed.readings(id)).toMatchObject({ 'Battery/SoC': 56, 'Battery/Power': -1.25, 'Battery/State': 2 });
    const texts = await bed.pool.query('select key, value from latest_texts where device_id = $1 order by key', [id]);
    expect(texts.rows).toEqual([
      { key: 'Properties/Firmware', value: '2.1.0' },
      { key: 'Properties/Model', value: 'Wall 10' },
      { key: 'Serviced', value: '2026-03-01T10:00:00.000Z' },
    ]);
    const parameters = await bed.pool.query(
      'select key, value from device_parameters where device_id = $1 order by key',
      [id],
    );
    expect(parameters.rows).toEqual([
      { key: 'Settings/Grid Charging', value: 'true' },
      { key: 'Settings/SoC Min', value: '10' },
    ]);
    const { rows } = await bed.pool.query(
      `select d.soft_version, c.connector, c.status, c.info from devices d join connectors c on c.device_id = d.id where d.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ soft_version: '2.1.0', connector: 1, status: 'Charging', info: 'Discharging' }]);
  });

  test('an alias belongs to the latest birth: an alias of an earlier birth is ignored, and births are requested', async () => {
    const { id, device, say } = await edgeNode();
    const born = (first: string, alias: number) => [...CONTROLS, metric(first, 'Float', 1, { alias })];
    await say('NBIRTH', sparkplug(born('Battery/SoC', 1), { seq: 0, bdSeq: 0 }));
    await say('DBIRTH', sparkplug([metric('Cells/A', 'Float', 1, { alias: 2 })], { seq: 1 }), 'rack');
    // The metrics stay the same, but their aliases change.
    await say('DBIRTH', sparkplug([metric('Cells/B', 'Float', 1, { alias: 2 })], { seq: 2 }), 'rack');
    expect(await noteOf(id, 'DBIRTH')).toBeNull();
    await say('DDATA', sparkplug([metric('', 'Float', 2, { alias: 2 })], { seq: 3 }), 'rack');
    expect(await bed.readings(id)).toMatchObject({ 'rack/Cells/A': 1, 'rack/Cells/B': 2 });

    await say('NBIRTH', sparkplug(born('Battery/SoC', 3), { seq: 0, bdSeq: 0 }));
    await say('NDATA', sparkplug([metric('', 'Float', 99, { alias: 1 })], { seq: 1 }));
    expect((await nextMessage(device)).metrics).toEqual(REBIRTH);
    expect(await noteOf(id, 'NDATA')).toBe('alias 1 was not in a birth; ignored');
    expect(await bed.readings(id)).toMatchObject({ 'Battery/SoC': 1 });
    await say('NBIRTH', sparkplug(born('Battery/Power', 1), { seq: 0, bdSeq: 0 }));
    expect(await noteOf(id, 'NBIRTH')).toBeNull();
    await say('NDATA', sparkplug([metric('', 'Float', 7, { alias: 1 })], { seq: 1 }));
    expect(await bed.readings(id)).toMatchObject({ 'Battery/SoC': 1, 'Battery/Power': 7 });
  });

  test('there are as many layouts of readings as groups, whatever values change together', async () => {
    const { id, say } = await edgeNode();
    const names = Array.from({ length: 12 }, (_, index) => `Cells/${index}`);
    await say(
      'NBIRTH',
      sparkplug([...CONTROLS, ...names.map((name) => metric(name, 'Float', 1))], { seq: 0, bdSeq: 0 }),
    );
    for (let seq = 1; seq <= 12; seq += 1) {
      const some = names.filter((_, index) => (seq >> (index % 4)) & 1 || index === seq - 1);
      await say(
        'NDATA',
        sparkplug(
          some.map((name) => metric(name, 'Float', seq)),
          { seq },
        ),
      );
    }
    const { rows } = await bed.pool.query(
      'select count(distinct layout_id)::int as n from readings where device_id = $1',
      [id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('a birth of 5,000 metrics is stored completely', async () => {
    const { id, say } = await edgeNode();
    const many = Array.from({ length: 5_000 }, (_, index) =>
      metric(`Module ${index % 40}/Cell ${index}/Voltage`, 'Float', 3 + (index % 10) / 10, { alias: index + 1 }),
    );
    await say('NBIRTH', sparkplug([...CONTROLS, ...many], { seq: 0, bdSeq: 0 }));
    expect(Object.keys(await bed.readings(id))).toHaveLength(5_000);
    await say('NDATA', sparkplug([metric('', 'Float', 9.5, { alias: 4_321 })], { seq: 1 }));
    expect((await bed.readings(id))['Module 0/Cell 4320/Voltage']).toBe(9.5);
  });

  test('the total of what an edge node and its devices report is limited, because it is kept in memory', async () => {
    const { id, say } = await edgeNode();
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    const many = Array.from({ length: 9_990 }, (_, at) => metric(`V/${at}`, 'Int32', at));
    for (let part = 1; part <= 5; part += 1) await say('DBIRTH', sparkplug(many, { seq: part }), `P${part}`);
    expect(await noteOf(id, 'DBIRTH P5')).toBeNull();
    await say('DBIRTH', sparkplug(many.slice(0, 100), { seq: 6 }), 'P6');
    expect(await noteOf(id, 'DBIRTH P6')).toContain('at most 1000 devices with 50000 metrics');
    // A device with a new birth replaces its previous state.
    await say('DBIRTH', sparkplug(many, { seq: 7 }), 'P5');
    expect(await noteOf(id, 'DBIRTH P5')).toBeNull();
  });

  test('historical values are stored with their own time and do not change the current state', async () => {
    const { id, say } = await edgeNode();
    await say(
      'NBIRTH',
      sparkplug([...CONTROLS, metric('P', 'Double', 1), metric('Q', 'Double', 2)], { seq: 0, bdSeq: 0 }),
    );
    const past = Date.now() - 2 * 86_400_000;
    await say('NDATA', sparkplug([metric('P', 'Double', 7, { isHistorical: true, timestamp: past })], { seq: 1 }));
    const { rows } = await bed.pool.query(
      'select analog from readings where device_id = $1 and at = to_timestamp($2::float8 / 1000)',
      [id, past],
    );
    expect(rows).toEqual([{ analog: [7] }]);
    expect(await bed.readings(id)).toEqual({ P: 1, Q: 2 });
  });

  test('a clock that is an hour ahead is reported, and its values are refused where operators look', async () => {
    const { id, say } = await edgeNode();
    const ahead = Date.now() + 3_600_000;
    await say('NBIRTH', sparkplug([...CONTROLS, metric('P', 'Double', 1)], { seq: 0, bdSeq: 0, timestamp: ahead }));
    const { rows } = await bed.pool.query(
      `select s.clock_skew_ms::float8 as skew, (select count(*)::int from readings where device_id = s.device_id) as stored
         from device_states s where device_id = $1`,
      [id],
    );
    expect(Math.round(rows[0].skew / 60_000)).toBe(60);
    expect(rows[0].stored).toBe(0);
    const faults = await bed.pool.query('select outcome, reason from device_message_faults where device_id = $1', [id]);
    const reason = `the time ${new Date(ahead).toISOString()} is more than 5 minutes in the future; its values are ignored`;
    expect(faults.rows).toEqual([{ outcome: 'partial', reason }]);
    expect(await noteOf(id, 'NBIRTH')).toContain('more than 5 minutes in the future');
  });

  test('integers keep all their digits; integers that no number can hold are stored as texts', async () => {
    const { id, say } = await edgeNode();
    const written = (wide: number | bigint, wider: string) => [
      metric('Grid/Wide', 'UInt32', Number(wide), { alias: 1 }),
      metric('Grid/Wider', 'UInt64', wider as never, { alias: 2 }),
    ];
    await say('NBIRTH', sparkplug(written(4_294_967_295, '9007199254740991'), { seq: 0, bdSeq: 0 }));
    expect(await bed.readings(id)).toEqual({ 'Grid/Wide': 4_294_967_295, 'Grid/Wider': 9_007_199_254_740_991 });
    await say('NDATA', sparkplug(written(16_777_217, '18446744073709551615'), { seq: 1 }));
    expect(await bed.readings(id)).toMatchObject({ 'Grid/Wide': 16_777_217 });
    const { rows } = await bed.pool.query('select key, value from latest_texts where device_id = $1', [id]);
    expect(rows).toContainEqual({ key: 'Grid/Wider', value: '18446744073709551615' });
  });

  test('invalid values and times are rejected one by one, with the reason in the log and without requesting births', async () => {
    const { id, say, device } = await edgeNode();
    const good = metric('Battery/SoC', 'Double', 50, { alias: 1 });
    const other = metric('Battery/Power', 'Double', 2, { alias: 2 });
    await say('NBIRTH', sparkplug([good, other], { seq: 0, bdSeq: 0 }));
    let seq = 0;
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      seq += 1;
      await say('NDATA', sparkplug([metric('Battery/SoC', 'Double', value), other], { seq }));
      expect(await noteOf(id, 'NDATA')).toBe(`Battery/SoC is ${value}; ignored`);
    }
    const at = Date.parse('2099-01-01T00:00:00Z');
    await say('NDATA', sparkplug([metric('Battery/SoC', 'Double', 99, { timestamp: at })], { seq: 4 }));
    expect(await noteOf(id, 'NDATA')).toBe(
      'Battery/SoC is of 2099-01-01T00:00:00.000Z, more than a day in the future; ignored',
    );
    await say('NDATA', sparkplug([metric('Battery/SoC', 'Double', 51)], { seq: 5 }));
    expect(await bed.readings(id)).toEqual({ 'Battery/SoC': 51, 'Battery/Power': 2 });
    const sent = (await bed.frames(id)).filter(({ action, type }) => type === 3 && action === 'NCMD');
    expect(sent).toEqual([]);
    device.client.end();
  });

  test('faults and alarms are raised and cleared', async () => {
    const { id, say } = await edgeNode();
    const alarm = (value: boolean) =>
      metric('Alarms/Cell Imbalance', 'Boolean', value, { properties: { level: { type: 'String', value: 'MA' } } });
    await say(
      'NBIRTH',
      sparkplug(
        [...CONTROLS, metric('Battery/State', 'Int32', 1), metric('Inverter/Fault', 'Int32', 0), alarm(false)],
        { seq: 0, bdSeq: 0 },
      ),
    );
    await say(
      'NDATA',
      sparkplug([metric('Inverter/Fault', 'Int32', 17), metric('Battery/State', 'Int32', 3), alarm(true)], { seq: 1 }),
    );
    const open = async () =>
      (
        await bed.pool.query(
          'select code, kind, level from alarms where device_id = $1 and cleared_at is null order by code',
          [id],
        )
      ).rows;
    expect(await open()).toEqual([
      { code: 'Cell Imbalance', kind: 'alarm', level: 'MA' },
      { code: 'Inverter/Fault:17', kind: 'fault', level: 'MA' },
    ]);
    await say(
      'NDATA',
      sparkplug([metric('Inverter/Fault', 'Int32', 0), metric('Battery/State', 'Int32', 0), alarm(false)], { seq: 2 }),
    );
    expect(await open()).toEqual([]);
  });
});

describe('messages that are not trusted', () => {
  test('data without a birth, data after a gap: births are requested', async () => {
    const { id, device, say } = await edgeNode();
    await say('NDATA', sparkplug([metric('P', 'Double', 1)], { seq: 5 }));
    expect((await nextMessage(device)).metrics).toEqual(REBIRTH);
    await say('NBIRTH', sparkplug([...CONTROLS, metric('P', 'Double', 1)], { seq: 0, bdSeq: 0 }));
    await say('NDATA', sparkplug([metric('P', 'Double', 3)], { seq: 2 }));
    expect((await nextMessage(device)).metrics).toEqual(REBIRTH);
    expect(await bed.readings(id)).toEqual({ P: 1 });
    await say('NBIRTH', sparkplug([...CONTROLS, metric('P', 'Double', 3)], { seq: 0, bdSeq: 0 }));
    await eventually(
      () => bed.readings(id),
      ({ P }) => P === 3,
    );
  });

  test('a metric that changes its type is rejected with a note; a birth may change the type', async () => {
    const { id, device, say } = await edgeNode();
    await say(
      'NBIRTH',
      sparkplug([...CONTROLS, metric('P', 'Int32', 1), metric('Q', 'Int32', 1)], { seq: 0, bdSeq: 0 }),
    );
    await say('NDATA', sparkplug([metric('P', 'String', 'a lot'), metric('Q', 'Int32', 2)], { seq: 1 }));
    expect(await noteOf(id, 'NDATA')).toBe('P was in a birth as Int32 and came as String; ignored');
    expect((await nextMessage(device)).metrics).toEqual(REBIRTH);
    expect(await bed.readings(id)).toEqual({ P: 1, Q: 2 });
    await say(
      'NBIRTH',
      sparkplug([...CONTROLS, metric('P', 'String', 'a lot'), metric('Q', 'Int32', 2)], { seq: 0, bdSeq: 0 }),
    );
    expect(await noteOf(id, 'NBIRTH')).toContain('P was Int32 and is String since this birth');
  });

  test.each<[string, () => Buffer, RegExp]>([
    ['an invalid Sparkplug payload', () => Buffer.from('{"soc":1}'), /not a Sparkplug B payload/],
    ['an incomplete payload', () => sparkplug([metric('P', 'Double', 1)]).subarray(0, -3), /incomplete/],
    [
      '200,000 empty metrics',
      () => Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at % 2 === 0 ? 0x12 : 0))),
      /more than 10000 metrics/,
    ],
    [
      'a metric of half a megabyte',
      () => sparkplug([metric('P', 'String', 'x'.repeat(500_000))]),
      /longer than 16384 bytes/,
    ],
    [
      'a million zeros, compressed',
      () => compressed(Buffer.alloc(4_000_000)),
      /longer than 1048576 bytes when decompressed/,
    ],
    ['a compressed payload in a compressed payload', () => compressed(compressed(sparkplug([]))), /more than once/],
  ])('%s is refused with a note, and the connection stays open', async (_what, payload, note) => {
    const { id, device, say } = await edgeNode();
    await say('NBIRTH', payload());
    expect(await noteOf(id, 'NBIRTH')).toMatch(note);
    await say('NBIRTH', compressed(sparkplug([...CONTROLS, metric('P', 'Double', 4)], { seq: 0, bdSeq: 0 })));
    expect(await bed.readings(id)).toEqual({ P: 4 });
    expect(device.client.connected).toBe(true);
  });

  test('a metric that cannot be read does not affect the others, and is named where operators look', async () => {
    const { id, say } = await edgeNode();
    const long = metric('Long', 'String', 'x'.repeat(20_000));
    const good = sparkplug([...CONTROLS, metric('P', 'Double', 4), long], { seq: 0, bdSeq: 0 });
    // The field `metrics` with a metric whose second field has a type that does not exist.
    const broken = Buffer.from([0x12, 6, 0x0a, 3, ...Buffer.from('Bad'), 0x1f]);
    await say('NBIRTH', Buffer.concat([good, broken]));
    expect(await bed.readings(id)).toEqual({ P: 4 });
    const { rows } = await bed.pool.query(
      `select reason from device_message_faults where device_id = $1 and outcome = 'partial'`,
      [id],
    );
    expect(rows[0].reason).toMatch(/\(Long\) is longer than 16384 bytes.*\(Bad\) cannot be decoded/);
  });

  test('a template nested a thousand times is refused', async () => {
    const { id, say } = await edgeNode();
    let value: object = { isDefinition: false, metrics: [] };
    for (let depth = 0; depth < 1_000; depth += 1) {
      value = { isDefinition: false, metrics: [metric('t', 'Template', value as never)] };
    }
    await say('NBIRTH', sparkplug([...CONTROLS, metric('deep', 'Template', value as never)], { seq: 0, bdSeq: 0 }));
    expect(await noteOf(id, 'NBIRTH')).toMatch(/not stored|refused/);
  });
});

function compressed(payload: Buffer): Buffer {
  return Buffer.from(
    SPARKPLUG_CODEC.encodePayload({ uuid: 'SPBV1.0_COMPRESSED', body: deflateSync(payload), metrics: [] }),
  );
}

describe('commands', () => {
  test('a parameter is set only when the device reports it', async () => {
    const { id, sn, device, say } = await edgeNode();
    await say('NBIRTH', sparkplug([...CONTROLS, metric('Settings/Limit', 'Float', 5)], { seq: 0, bdSeq: 0 }));
    const set = call('setParameter', { key: 'Settings/Limit', value: '7.3' });
    expect(await bed.link.execute(id, set)).toEqual({ outcome: 'sent' });
    const written = await nextMessage(device);
    expect(written.topic).toBe(`spBv1.0/site/NCMD/${sn}`);
    expect(written.metrics?.[0]?.[0]).toBe('Settings/Limit');
    await say('NDATA', sparkplug([metric('Settings/Limit', 'Float', 5)], { seq: 1 }));
    expect(bed.answers.filter(({ executionId }) => executionId === set.executionId)).toEqual([]);
    await say('NDATA', sparkplug([metric('Settings/Limit', 'Float', 7.3)], { seq: 2 }));
    expect(await answerTo(set.executionId)).toMatchObject({ success: true, reason: 'accepted', deviceId: id });
    const { rows } = await bed.pool.query('select value from device_parameters where device_id = $1', [id]);
    expect(rows).toEqual([{ value: '7.3' }]);
    const other = call('setParameter', { key: 'Settings/Limit', value: '99' });
    await bed.link.execute(id, other);
    await nextMessage(device);
    await say('NDATA', sparkplug([metric('Settings/Limit', 'Float', 10)], { seq: 3 }));
    expect(await answerTo(other.executionId)).toMatchObject({
      success: false,
      reason: 'rejected',
      detail: 'the device reports 10',
    });
  });

  test('a command without a metric, or with a value that the device cannot hold, is not supported', async () => {
    const { id, say } = await edgeNode();
    await say('NBIRTH', sparkplug([metric('Settings/Limit', 'Int8', 5)], { seq: 0, bdSeq: 0 }));
    for (const one of [
      call('softReset'),
      call('disableSystem'),
      call('setParameter', { key: 'Nowhere', value: '1' }),
      call('setParameter', { key: 'Settings/Limit', value: '1000' }),
      call('upgradeSoftware', { location: 'http://x/y' }),
    ]) {
      expect([one.kind, await bed.link.execute(id, one)]).toEqual([one.kind, { outcome: 'notSupported' }]);
    }
  });

  test('parameters are read by a rebirth', async () => {
    const { id, device, say } = await edgeNode();
    const birth = () => sparkplug([...CONTROLS, metric('Settings/Limit', 'Float', 5)], { seq: 0, bdSeq: 0 });
    await say('NBIRTH', birth());
    const all = call('refreshParameters');
    await bed.link.execute(id, all);
    expect((await nextMessage(device)).metrics).toEqual(REBIRTH);
    await say('NBIRTH', birth());
    expect(await answerTo(all.executionId)).toMatchObject({ success: true });
    const one = call('refreshParameters', { key: 'Nowhere' });
    await bed.link.execute(id, one);
    await nextMessage(device);
    await say('NBIRTH', birth());
    expect(await answerTo(one.executionId)).toMatchObject({ success: false, reason: 'unknownKey' });
  });

  test('our own kinds of commands are sent as JSON, without the location in the log, and are answered by id', async () => {
    const { id, device, say } = await edgeNode();
    const vendor = [metric('Node Control/UpgradeSoftware', 'String', ''), metric('Node Control/Answer', 'String', '')];
    await say('NBIRTH', sparkplug([...CONTROLS, ...vendor], { seq: 0, bdSeq: 0 }));
    const upgrade = call('upgradeSoftware', { location: 'http://files/secret-token/fw.bin', version: '3.0' });
    await bed.link.execute(id, upgrade);
    const { metrics } = await nextMessage(device);
    expect(JSON.parse(String(metrics?.[0]?.[1]))).toMatchObject({ id: upgrade.executionId, ...upgrade.params });
    const frames = await eventually(
      () => bed.frames(id),
      (all) => all.some(({ action }) => action === 'NCMD'),
    );
    const body = frames.find(({ action }) => action === 'NCMD')?.body;
    expect([body?.includes('UpgradeSoftware'), body?.includes('secret-token')]).toEqual([true, false]);
    const answer = JSON.stringify({ id: upgrade.executionId, status: 'accepted' });
    await say('NDATA', sparkplug([metric('Node Control/Answer', 'String', answer)], { seq: 1 }));
    expect(await answerTo(upgrade.executionId)).toMatchObject({ success: true });
  });

  test('a restart succeeds with the next birth of the device', async () => {
    const { id, sn, device, say } = await edgeNode();
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    const reset = call('softReset');
    await bed.link.execute(id, reset);
    expect((await nextMessage(device)).metrics).toEqual([['Node Control/Reboot', true]]);
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    expect(bed.answers.filter(({ executionId }) => executionId === reset.executionId)).toEqual([]);
    await device.client.endAsync();
    const again = await connectDevice(bed.mqttUrl, sn);
    await again.say(`spBv1.0/site/NBIRTH/${sn}`, sparkplug(CONTROLS, { seq: 0, bdSeq: 1 }));
    expect(await answerTo(reset.executionId)).toMatchObject({ success: true, reason: 'restarted' });
  });

  test('a command ends with the death of its edge node, even when the connection stays open', async () => {
    const { id, sn, device, say } = await edgeNode();
    const behind = await bed.addDevice(`${sn}-UNIT`);
    await bed.pool.query('update devices set gateway_password_hash = null where id = $1', [behind]);
    const limit = metric('Settings/Limit', 'Float', 5);
    await say('NBIRTH', sparkplug([...CONTROLS, limit], { seq: 0, bdSeq: 0 }));
    await say('DBIRTH', sparkplug([limit], { seq: 1 }), `${sn}-UNIT`);
    const commands = [id, behind].map((deviceId) => ({
      ...{ deviceId, ...call('setParameter', { key: 'Settings/Limit', value: '7.3' }) },
    }));
    for (const { deviceId, ...command } of commands) {
      expect(await bed.link.execute(deviceId, command)).toEqual({ outcome: 'sent' });
      await nextMessage(device);
    }
    await say('NDEATH', sparkplug([metric('bdSeq', 'UInt64', 0)], {}));
    for (const { deviceId, executionId } of commands) {
      const report = await eventually(
        async () => bed.progress.find((one) => one.executionId === executionId),
        (one) => one !== undefined,
      );
      const detail = `the death of edge node ${sn} was published`;
      expect(report).toMatchObject({ deviceId, state: 'connectionLost', detail });
    }
  });

  test('a device that is not connected is offline; the broker keeps no message for it', async () => {
    const { id, sn, device, say } = await edgeNode();
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    await device.client.endAsync();
    await eventually(
      async () => (await bed.link.execute(id, call('softReset'))).outcome,
      (outcome) => outcome === 'offline',
    );
    const back = await connectDevice(bed.mqttUrl, sn, { clean: false });
    let received = 0;
    back.client.on('message', () => {
      received += 1;
    });
    await back.client.subscribeAsync(`spBv1.0/site/NCMD/${sn}`);
    await back.say(`spBv1.0/site/NBIRTH/${sn}`, sparkplug(CONTROLS, { seq: 0, bdSeq: 1 }));
    expect(received).toBe(0);
  });
});

describe('devices behind an edge node', () => {
  test('parts are reported with their name as a prefix; a registered device of the site is a device of its own', async () => {
    const { id, sn, device, say } = await edgeNode();
    const own = await bed.addDevice(`${sn}-UNIT`);
    await bed.pool.query('update devices set gateway_password_hash = null where id = $1', [own]);
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    await say('DBIRTH', sparkplug([metric('SoC', 'Float', 40), metric('State', 'Int32', 1)], { seq: 1 }), 'Battery');
    await say(
      'DBIRTH',
      sparkplug([metric('P', 'Float', 3), metric('Settings/X', 'Int32', 1)], { seq: 2 }),
      `${sn}-UNIT`,
    );
    await say('DDATA', sparkplug([metric('SoC', 'Float', 41)], { seq: 3 }), 'Battery');
    expect(await bed.readings(id)).toEqual({ 'Battery/SoC': 41, 'Battery/State': 1 });
    expect(await bed.readings(own)).toEqual({ P: 3 });
    const set = call('setParameter', { key: 'Settings/X', value: '2' });
    await bed.link.execute(own, set);
    expect((await nextMessage(device)).topic).toBe(`spBv1.0/site/DCMD/${sn}/${sn}-UNIT`);
    await say('DDATA', sparkplug([metric('Settings/X', 'Int32', 2)], { seq: 4 }), `${sn}-UNIT`);
    expect(await answerTo(set.executionId)).toMatchObject({ success: true, deviceId: own });
    await say('DDEATH', sparkplug([], { seq: 5 }), `${sn}-UNIT`);
    await eventually(
      async () => (await bed.pool.query('select connected from device_states where device_id = $1', [own])).rows[0],
      ({ connected }) => !connected,
    );
    await device.client.endAsync();
  });

  test('an edge node cannot report for a device with its own password', async () => {
    const { id, say } = await edgeNode();
    const victim = await bed.addDevice('VICTIM-1');
    await say('NBIRTH', sparkplug(CONTROLS, { seq: 0, bdSeq: 0 }));
    await say('DBIRTH', sparkplug([metric('P', 'Float', 3)], { seq: 1 }), 'VICTIM-1');
    await say('DDATA', sparkplug([metric('P', 'Float', 4)], { seq: 2 }), 'VICTIM-1');
    expect(await noteOf(id, 'DBIRTH VICTIM-1')).toBe('refused: VICTIM-1 has its own password and must connect itself');
    expect(await bed.readings(victim)).toEqual({});
    expect(await bed.frames(victim)).toEqual([]);
    expect(await bed.readings(id)).toEqual({});
  });
});

test('a third-party client library works: birth, data, compressed data, a command and its answer', async () => {
  const id = await bed.addDevice('TAHU-0001');
  const client = newClient({
    ...{ serverUrl: bed.mqttUrl, username: 'TAHU-0001', password: PASSWORD, groupId: 'plant', edgeNode: 'TAHU-0001' },
    ...{ clientId: 'tahu', version: 'spBv1.0', publishDeath: true },
  });
  let limit = 5;
  const birth = () =>
    client.publishNodeBirth({
      timestamp: Date.now(),
      metrics: [
        { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
        { name: 'Battery/SoC', type: 'Double', value: 50 },
        { name: 'Settings/Limit', type: 'Int32', value: limit },
      ],
    });
  client.on('birth', birth);
  client.on('ncmd', (payload) => {
    for (const { name, value } of payload.metrics ?? []) {
      if (name === 'Node Control/Rebirth') birth();
      if (name !== 'Settings/Limit') continue;
      limit = Number(value);
      client.publishNodeData({ timestamp: Date.now(), metrics: [{ name, type: 'Int32', value: limit }] });
    }
  });
  await eventually(
    () => bed.readings(id),
    (values) => values['Battery/SoC'] === 50,
  );
  client.publishNodeData(
    { timestamp: Date.now(), metrics: [{ name: 'Battery/SoC', type: 'Double', value: 51 }] },
    { compress: true },
  );
  await eventually(
    () => bed.readings(id),
    (values) => values['Battery/SoC'] === 51,
  );
  const set = call('setParameter', { key: 'Settings/Limit', value: '8' });
  expect(await bed.link.execute(id, set)).toEqual({ outcome: 'sent' });
  expect(await answerTo(set.executionId)).toMatchObject({ success: true });
  const refresh = call('refreshConfiguration');
  await bed.link.execute(id, refresh);
  expect(await answerTo(refresh.executionId)).toMatchObject({ success: true });
  client.stop();
  const frames = await eventually(
    () => bed.frames(id),
    (all) => all.some(({ type }) => type === 1) && all.some(({ action }) => action === 'NDEATH'),
  );
  expect(frames.some(({ action }) => action === 'NDEATH')).toBe(true);
});

describe('timeouts', () => {
  test('a command for a device that never identifies its protocol ends with no device after four seconds', async () => {
    const clock = steppedClock();
    const slow = await startMqttTestbed({}, { clock });
    const id = await slow.addDevice('MUTE-1');
    await connectDevice(slow.mqttUrl, 'MUTE-1');
    let outcome: string | null = null;
    const handed = slow.link.execute(id, call('softReset')).then((sendResult) => {
      ({ outcome } = sendResult);
    });
    await clock.advance(3_999);
    await slow.frames(id);
    expect(outcome).toBeNull();
    await clock.advance(1);
    await handed;
    expect(outcome).toBe('offline');
    await slow.stop();
  });

  test('the gateway waits two seconds for a missing message, then requests the births', async () => {
    const clock = steppedClock();
    const slow = await startMqttTestbed({}, { clock });
    await slow.addDevice('GAP-1');
    const device = await connectDevice(slow.mqttUrl, 'GAP-1');
    await device.client.subscribeAsync('spBv1.0/site/NCMD/GAP-1');
    const say = (type: string, payload: Buffer) => device.say(`spBv1.0/site/${type}/GAP-1`, payload);
    const commands: unknown[] = [];
    device.client.on('message', (topic) => commands.push(topic));
    const soc = metric('Battery/SoC', 'Double', 40);
    await say('NBIRTH', sparkplug([...CONTROLS, soc], { seq: 0, bdSeq: 0 }));
    await say('NDATA', sparkplug([soc], { seq: 2 }));
    await clock.advance(2_000);
    await say('NDATA', sparkplug([soc], { seq: 3 }));
    expect(commands).toEqual([]);
    await clock.advance(100);
    await eventually(
      () => commands,
      (topics) => topics.length > 0,
      { what: 'the births to be requested' },
    );
    expect(commands).toEqual(['spBv1.0/site/NCMD/GAP-1']);
    await slow.stop();
  });
});
