import { type ConnectorFaults, faultsAfterAlarm, faultsAfterStatus } from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
let id: number;
let point: RawPoint;
beforeAll(async () => {
  bed = await startTestbed();
  id = await bed.addDevice('FAULTY-201');
  point = await connectRaw(`${bed.url}/FAULTY-201`, { protocols: ['ocpp2.0.1'] });
});
afterAll(() => bed.stop());

interface Place {
  evse: number;
  connector?: number;
}

const now = () => new Date().toISOString();

async function status({ evse, connector = 1 }: Place, connectorStatus: string): Promise<void> {
  const notification = { timestamp: now(), connectorStatus, evseId: evse, connectorId: connector };
  expect((await point.call('StatusNotification', notification))[0]).toBe(3);
}

async function alarm({ evse, connector }: Place, code: string, active: boolean, variable = 'Problem'): Promise<void> {
  const [type] = await point.call('NotifyEvent', {
    ...{ generatedAt: now(), seqNo: 0 },
    eventData: [
      {
        ...{ eventId: 1, timestamp: now(), trigger: 'Alerting', techCode: code, techInfo: 'too hot' },
        ...{ actualValue: String(active), cleared: !active, eventNotificationType: 'HardWiredNotification' },
        component: {
          name: connector ? 'Connector' : 'EVSE',
          evse: { id: evse, ...(connector ? { connectorId: connector } : {}) },
        },
        variable: { name: variable },
      },
    ],
  });
  expect(type).toBe(3);
}

interface Row {
  id: number;
  connector: number;
  code: string;
  source: string;
  open: boolean;
}

/** Returns the alarms of an EVSE's connectors, after checking that their events agree. */
async function alarmsOf(evse: number, only: 'open' | 'all' = 'open'): Promise<Row[]> {
  const { rows } = await bed.pool.query<Row>(
    `select id, connector, code, source, cleared_at is null as open from alarms
      where device_id = $1 and (connector - 1) % 256 + 1 = $2 and (cleared_at is null or $3) order by id`,
    [id, evse, only === 'all'],
  );
  const { rows: events } = await bed.pool.query(
    `select connector, code, source from device_events
      where device_id = $1 and (connector - 1) % 256 + 1 = $2 and ended_at is null order by connector, code`,
    [id, evse],
  );
  const open = rows.filter((row) => row.open).map(({ connector, code, source }) => ({ connector, code, source }));
  const byPlace = (one: { connector: number; code: string }, other: { connector: number; code: string }) =>
    one.connector - other.connector || one.code.localeCompare(other.code);
  expect(events.sort(byPlace)).toEqual(open.sort(byPlace));
  return rows;
}

test('a fault that is reported by both messages is one alarm: the event takes over the report with its acknowledgement', async () => {
  await status({ evse: 1 }, 'Faulted');
  const [generic] = await alarmsOf(1);
  expect(generic).toMatchObject({ connector: 1, code: 'ConnectorFault', source: 'status' });
  await bed.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by_name = 'ada' where id = $1`, [
    generic!.id,
  ]);
  await alarm({ evse: 1, connector: 1 }, 'E12', true);
  expect(await alarmsOf(1, 'all')).toEqual([{ ...generic, code: 'E12', source: 'device' }]);
  const { rows } = await bed.pool.query(
    'select info, kind, level, repeats, acknowledged_at is not null as acknowledged from alarms where id = $1',
    [generic!.id],
  );
  expect(rows).toEqual([
    { info: 'too hot; Connector.Problem = true', kind: 'fault', level: 'MA', repeats: 1, acknowledged: true },
  ]);
  // The report is sent again, and the fault ends in two messages too.
  await status({ evse: 1 }, 'Faulted');
  expect(await alarmsOf(1)).toHaveLength(1);
  await alarm({ evse: 1, connector: 1 }, 'E12', false);
  await status({ evse: 1 }, 'Available');
  expect((await alarmsOf(1, 'all')).map(({ code, open }) => [code, open])).toEqual([['E12', false]]);
});

test('a fault that returns within minutes is the same alarm, whichever message is first', async () => {
  await alarm({ evse: 2, connector: 1 }, 'E12', true);
  await status({ evse: 2 }, 'Faulted');
  await status({ evse: 2 }, 'Available');
  expect((await alarmsOf(2)).map(({ code }) => code)).toEqual(['E12']);
  await alarm({ evse: 2, connector: 1 }, 'E12', false);
  await status({ evse: 2 }, 'Faulted');
  expect((await alarmsOf(2)).map(({ code }) => code)).toEqual(['ConnectorFault']);
  await alarm({ evse: 2, connector: 1 }, 'E12', true);
  expect((await alarmsOf(2, 'all')).map(({ code, open }) => [code, open])).toEqual([
    ['E12', true],
    ['ConnectorFault', false],
  ]);
});

test('a fault event of an EVSE explains the faults of all its connectors; a warning explains none', async () => {
  await status({ evse: 3 }, 'Faulted');
  await status({ evse: 3, connector: 2 }, 'Faulted');
  await status({ evse: 4, connector: 2 }, 'Faulted');
  await alarm({ evse: 3, connector: 2 }, 'WARM', true, 'Temperature');
  expect((await alarmsOf(3)).map(({ connector, code }) => [connector, code])).toEqual([
    [3, 'ConnectorFault'],
    [259, 'ConnectorFault'],
    [259, 'WARM'],
  ]);
  await alarm({ evse: 3 }, 'E50', true);
  expect((await alarmsOf(3)).map(({ connector, code }) => [connector, code])).toEqual([
    [259, 'WARM'],
    [32_515, 'E50'],
  ]);
  await status({ evse: 3, connector: 2 }, 'Faulted');
  expect(await alarmsOf(3)).toHaveLength(2);
  expect((await alarmsOf(4)).map(({ connector, code }) => [connector, code])).toEqual([[260, 'ConnectorFault']]);
});

test('in any order of the messages, the active alarms follow the rule, and no fault is listed twice', async () => {
  const word = fc.constantFrom('faulted', 'works', '+E1', '-E1', '+E2', '-E2');
  let evse = 20;
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 3, maxLength: 10 }), async (words) => {
      evse += 1;
      let trouble: ConnectorFaults = { generic: false, reported: new Set() };
      for (const one of words) {
        if (one === 'faulted' || one === 'works') {
          trouble = faultsAfterStatus(trouble, one === 'faulted');
          await status({ evse }, one === 'faulted' ? 'Faulted' : 'Available');
        } else {
          trouble = faultsAfterAlarm(trouble, one.slice(1), one.startsWith('+'));
          const [code, active] = [one.slice(1), one.startsWith('+')];
          // Each of them has its own variable.
          await alarm({ evse, connector: 1 }, code, active, code === 'E1' ? 'Problem' : 'Tripped');
        }
        const active = (await alarmsOf(evse)).map(({ code }) => code).sort();
        expect(active).toEqual([...(trouble.generic ? ['ConnectorFault'] : []), ...trouble.reported].sort());
      }
    }),
    { numRuns: 25 },
  );
}, 240_000);
