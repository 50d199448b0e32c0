import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALERT_LIMITS, heldCauses, type OpenCause, OTHER_CAUSES, type RecentAlert } from './incident-causes.ts';
import {
  beginIncident,
  continueIncident,
  currentIncident,
  GROUP_CAP_MS,
  GROUP_WINDOW_MS,
  type GroupedNotice,
  type Incident,
  incidentKeys,
  isOver,
  joins,
  memberKey,
  namingCause,
  noticeKeys,
  RECOVERY_SETTLE_MS,
  RETURN_WINDOW_MS,
  RETURNED_SETTLE_MS,
  returnsAfter,
  SITE_WIDE_DEVICES,
  settleMsOf,
} from './incidents.ts';

const notice = (change: Partial<GroupedNotice> = {}): GroupedNotice => ({
  type: 'alarmMA',
  key: '1',
  ended: false,
  siteId: 10,
  deviceId: 100,
  level: 'MA',
  cause: 'GroundFailure',
  code: change.cause ?? 'GroundFailure',
  connector: 1,
  since: change.at ?? 1_000,
  at: 1_000,
  ...change,
});
const begun = beginIncident(notice());
const LATE = 1_000 + 3 * GROUP_WINDOW_MS;
const quiet: Incident = { ...begun, open: 0, recoveredAt: LATE - 1_000 };
const wide: Incident = { ...begun, devices: Array.from({ length: SITE_WIDE_DEVICES }, (_, index) => index) };

describe('a fault belongs to an incident of its site', () => {
  test.each<[string, Incident, Partial<GroupedNotice>, boolean]>([
    ['with the same cause', begun, { key: '2', deviceId: 101 }, true],
    ['at the end of the window', begun, { at: 1_000 + GROUP_WINDOW_MS }, true],
    ['not after it', begun, { at: 1_001 + GROUP_WINDOW_MS }, false],
    [
      'however often the window moves, not after the cap',
      { ...begun, lastAt: 1_000 + GROUP_CAP_MS },
      { at: 1_001 + GROUP_CAP_MS },
      false,
    ],
    ['until the cap', { ...begun, lastAt: 1_000 + GROUP_CAP_MS }, { at: 1_000 + GROUP_CAP_MS }, true],
    ['not with another cause', begun, { cause: 'offline', type: 'deviceOffline' }, false],
    ['with another cause if the whole site is concerned', wide, { cause: 'offline', type: 'deviceOffline' }, true],
    ['not of another site', wide, { siteId: 11 }, false],
    ['not without a site', begun, { siteId: null }, false],
    ['not when it is over', { ...begun, closedAt: 2_000 }, {}, false],
    ['not if it is no fault', wide, { type: 'issueAssigned' }, false],
    ['not if the incident is none', { ...wide, type: 'issueAssigned' }, {}, false],
    ['at any time if it returns before its recovery is announced', quiet, { key: '2', at: LATE }, true],
    ['not of another device', quiet, { key: '2', at: LATE, deviceId: 101 }, false],
    ['not with another cause of the same device', quiet, { key: '2', at: LATE, cause: 'PowerLoss' }, false],
    ['not while it goes on', begun, { key: '2', at: LATE }, false],
    ['not after its recovery was announced', { ...quiet, closedAt: LATE - 1 }, { key: '2', at: LATE }, false],
  ])('%s', (_title, incident, change, expected) => expect(joins(incident, notice(change))).toBe(expected));
});

test('a notice has a key in common with every incident that it joins or returns after', () => {
  const type = fc.constantFrom('alarmMA', 'deviceOffline', 'waitingDevice', 'issueAssigned');
  const cause = fc.constantFrom('GroundFailure', 'offline');
  const siteId = fc.constantFrom(null, 10, 11);
  const devices = fc.subarray([100, 101, 102]);
  const ends = { recoveredAt: fc.constantFrom(null, 500), closedAt: fc.constantFrom(null, 900) };
  fc.assert(
    fc.property(
      fc.record({ type, cause, siteId, devices, ...ends }),
      fc.record({ type, cause, siteId }),
      (one, other) => {
        const incident = { ...begun, ...one } as Incident;
        const next = notice(other as Partial<GroupedNotice>);
        fc.pre(joins(incident, next) || returnsAfter(incident, next));
        expect(incidentKeys(incident).some((key) => noticeKeys(next).includes(key))).toBe(true);
      },
    ),
  );
});

describe('a further notice', () => {
  test.each<[string, Incident, Partial<GroupedNotice>, 'open' | 'over' | 'new', Partial<Incident>, boolean]>([
    ['counts', begun, { key: '2', deviceId: 101 }, 'new', { members: 2, open: 2, devices: [100, 101] }, false],
    ['of a known device counts no device', begun, { key: '2' }, 'new', { members: 2, devices: [100] }, false],
    [
      'that repeats itself changes nothing',
      begun,
      { at: 5_000 },
      'open',
      { members: 1, open: 1, lastAt: 5_000 },
      false,
    ],
    [
      'alerts with a higher level',
      begun,
      { level: 'CA', type: 'alarmCA' },
      'new',
      { level: 'CA', type: 'alarmCA' },
      true,
    ],
    [
      'does not with a lower one',
      begun,
      { level: 'OA', type: 'alarmOA' },
      'new',
      { level: 'MA', type: 'alarmMA' },
      false,
    ],
    [
      'alerts with a new cause of the same level',
      wide,
      { key: '2', cause: 'PowerLoss', type: 'fault' },
      'new',
      { type: 'fault' },
      true,
    ],
    [
      'does not with a new cause of a lower one',
      wide,
      { key: '2', cause: 'Fan', type: 'alarmOA', level: 'OA' },
      'new',
      { type: 'alarmMA' },
      false,
    ],
    ['does not with a cause that returns', { ...begun, open: 0 }, { at: 9_000 }, 'over', {}, false],
    ['ends it', begun, { ended: true, at: 9_000 }, 'open', { open: 0, recoveredAt: 9_000 }, false],
    ['that ends twice does nothing', begun, { ended: true }, 'over', { open: 1, recoveredAt: null }, false],
    [
      'returns without an alert',
      { ...begun, open: 0, recoveredAt: 9_000 },
      { at: 10_000 },
      'over',
      { open: 1, recoveredAt: null, members: 1 },
      false,
    ],
  ])('%s', (_title, incident, change, member, expected, alert) => {
    expect(continueIncident(incident, notice(change), member)).toMatchObject({ incident: expected, alert });
  });

  test('about anything but a fault alerts again after the window', () => {
    const first = beginIncident(notice({ type: 'issueAnswered', level: null }));
    const later = (at: number) => continueIncident(first, notice({ type: 'issueAnswered', level: null, at }), 'open');
    expect(later(1_000 + GROUP_WINDOW_MS).alert).toBe(false);
    expect(later(1_001 + GROUP_WINDOW_MS).alert).toBe(true);
    expect(first.open).toBe(0);
  });
});

describe('waiting devices', () => {
  const waits = (change: Partial<GroupedNotice> = {}) =>
    notice({ type: 'waitingDevice', key: 'SN1', siteId: null, deviceId: null, level: null, cause: 'x', ...change });
  const first = beginIncident(waits());

  test('of a window are one incident without a site, and no fault joins them', () => {
    expect(joins(first, waits({ key: 'SN2', at: 1_000 + GROUP_WINDOW_MS }))).toBe(true);
    expect(joins(first, waits({ key: 'SN2', at: 1_001 + GROUP_WINDOW_MS }))).toBe(false);
    expect(joins(first, notice({ siteId: null }))).toBe(false);
    expect(joins(begun, waits())).toBe(false);
    expect(joins({ ...first, closedAt: 2_000 }, waits({ key: 'SN2' }))).toBe(false);
  });

  test('are counted, and recover when all are registered', () => {
    const two = continueIncident(first, waits({ key: 'SN2' }), 'new');
    expect(two).toMatchObject({ incident: { members: 2, open: 2 }, alert: false });
    const one = continueIncident(two.incident, waits({ ended: true }), 'open').incident;
    expect(one).toMatchObject({ open: 1, recoveredAt: null });
    expect(continueIncident(one, waits({ key: 'SN2', ended: true, at: 9_000 }), 'open').incident).toMatchObject({
      open: 0,
      recoveredAt: 9_000,
    });
  });

  test.each<['open' | 'over' | 'new', number, boolean]>([
    ['new', 1_000 + GROUP_WINDOW_MS, false],
    ['new', 1_001 + GROUP_WINDOW_MS, true],
    ['over', 1_001 + GROUP_WINDOW_MS, true],
    ['open', 1_001 + GROUP_WINDOW_MS, false],
  ])('a device that is %s at %i alerts: %s', (member, at, alert) => {
    expect(continueIncident(first, waits({ key: 'SN2', at }), member).alert).toBe(alert);
  });
});

test.each<[number | null, number | null, boolean, boolean]>([
  [null, null, false, false],
  [0, null, false, true],
  [1, null, false, false],
  [0, 1, false, false],
  [0, null, true, false],
  [RECOVERY_SETTLE_MS - RETURNED_SETTLE_MS, null, true, true],
  [RECOVERY_SETTLE_MS - RETURNED_SETTLE_MS + 1, null, true, false],
])(
  'an incident recovered at %s, closed at %s, returned %s is over: %s',
  (recoveredAt, closedAt, returned, expected) => {
    expect(isOver({ recoveredAt, closedAt, returned }, RECOVERY_SETTLE_MS)).toBe(expected);
  },
);

describe('a fault comes and goes when it starts', () => {
  const over: Incident = { ...begun, open: 0, recoveredAt: 2_000, closedAt: 3_000 };
  test.each<[string, Incident, Partial<GroupedNotice>, boolean]>([
    ['soon after its recovery was announced', over, { at: 4_000 }, true],
    ['at the end of the window', over, { at: 3_000 + RETURN_WINDOW_MS }, true],
    ['with a higher level', over, { at: 4_000, level: 'CA', type: 'alarmCA' }, true],
    ['not after the window', over, { at: 3_001 + RETURN_WINDOW_MS }, false],
    ['not before the recovery was announced', { ...over, closedAt: null }, { at: 4_000 }, false],
    ['not at another device', over, { at: 4_000, deviceId: 101 }, false],
    ['not with another cause', over, { at: 4_000, cause: 'PowerLoss' }, false],
    ['not on another site', over, { at: 4_000, siteId: 11 }, false],
    ['not without a site', { ...over, siteId: null }, { at: 4_000, siteId: null }, false],
    ['not without a device', { ...over, devices: [] }, { at: 4_000, deviceId: null }, false],
    ['not if it is no fault', over, { at: 4_000, type: 'issueAssigned' }, false],
    ['not after anything but a fault', { ...over, type: 'issueAssigned' }, { at: 4_000 }, false],
  ])('%s', (_title, earlier, change, expected) => expect(returnsAfter(earlier, notice(change))).toBe(expected));
});

test('all levels of an alarm have one key, and other types have their own', () => {
  expect(memberKey({ type: 'alarmCA', key: '7' })).toBe(memberKey({ type: 'alarmOA', key: '7' }));
  expect(memberKey({ type: 'issueDue', key: '7' })).not.toBe(memberKey({ type: 'issueAssigned', key: '7' }));
});

/** Applies notices of one site as the server does. */
function run(notices: readonly GroupedNotice[]) {
  const incidents: { incident: Incident; members: Map<string, 'open' | 'over'> }[] = [];
  let alerts = 0;
  let recoveries = 0;
  const recent: RecentAlert[] = [];
  const close = (now: number) => {
    for (const one of incidents) {
      if (!isOver(one.incident, now)) continue;
      one.incident = { ...one.incident, closedAt: one.incident.recoveredAt! + settleMsOf(one.incident) };
      recoveries += 1;
    }
  };
  for (const next of notices) {
    close(next.at);
    const key = memberKey(next);
    const own = incidents.findLast(({ incident, members }) => incident.closedAt === null && members.has(key));
    if (!own && next.ended) continue;
    const found = own ?? incidents.findLast(({ incident }) => joins(incident, next));
    if (!found) {
      const returned = incidents.some(({ incident }) => returnsAfter(incident, next));
      incidents.push({ incident: beginIncident(next, returned, recent), members: new Map([[key, 'open']]) });
      alerts += 1;
      recent.push({ at: next.at, level: next.level });
      continue;
    }
    const step = continueIncident(found.incident, next, found.members.get(key) ?? 'new', recent);
    if (step.alerted !== null) recent.push({ at: next.at, level: next.level });
    found.incident = step.incident;
    found.members.set(key, next.ended ? 'over' : 'open');
    alerts += step.alert ? 1 : 0;
  }
  close(Number.MAX_SAFE_INTEGER);
  return { incidents, alerts, recoveries };
}

test('forty devices that go offline and 120 alarms within minutes are one incident once three devices are concerned', () => {
  const offline = Array.from({ length: 40 }, (_, index) =>
    notice({ type: 'deviceOffline', cause: 'offline', key: `o${index}`, deviceId: index, at: index * 1_000 }),
  );
  const alarms = Array.from({ length: 120 }, (_, index) =>
    notice({ key: `a${index}`, cause: `C${index % 7}`, deviceId: index % 40, at: 60_000 + index * 100 }),
  );
  const { incidents, alerts } = run([...offline, ...alarms]);
  expect(incidents).toHaveLength(1);
  expect(incidents[0]!.incident).toMatchObject({ members: 160, open: 160 });
  expect(incidents[0]!.incident.devices).toHaveLength(40);
  expect(alerts).toBe(ALERT_LIMITS.MA);
  expect(heldCauses(incidents[0]!.incident.causes)).toHaveLength(8 - ALERT_LIMITS.MA);
});

test('a flapping alarm alerts once and recovers once, however often it returns', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: RECOVERY_SETTLE_MS - 1 }), { minLength: 2, maxLength: 60 }),
      (gaps) => {
        let at = 0;
        const later = (gap: number) => {
          at += gap;
          return at;
        };
        const flaps = gaps.map((gap, index) => notice({ at: later(gap), ended: index % 2 === 1 }));
        const { alerts, recoveries } = run([...flaps, notice({ at: at + 1, ended: true })]);
        expect([alerts, recoveries]).toEqual([1, 1]);
      },
    ),
  );
});

test('an alarm that comes and goes within the hour alerts and recovers at most twice, for as long as it does', () => {
  const minutes = (max: number) => fc.integer({ min: 1, max: max * 60_000 - 1 });
  fc.assert(
    fc.property(fc.array(fc.tuple(minutes(300), minutes(60)), { minLength: 2, maxLength: 60 }), (periods) => {
      let at = 0;
      const later = (gap: number) => {
        at += gap;
        return at;
      };
      // Each time it is another alarm, as after a pause of more than five minutes.
      const comesAndGoes = periods.flatMap(([on, off], index) => [
        notice({ key: `${index}`, at: later(off) }),
        notice({ key: `${index}`, at: later(on), ended: true }),
      ]);
      const { incidents, alerts, recoveries } = run(comesAndGoes);
      expect(alerts).toBe(incidents.length);
      expect(recoveries).toBe(incidents.length);
      expect(incidents.length).toBeLessThanOrEqual(2);
    }),
  );
});

test('six minutes on and six off alerts when it starts and when it is back, and not in the next day', () => {
  const flaps = Array.from({ length: 240 }, (_, index) =>
    notice({ key: `${index >> 1}`, at: index * 6 * 60_000, ended: index % 2 === 1 }),
  );
  expect(run(flaps)).toMatchObject({ alerts: 2, recoveries: 2 });
});

test('counts are correct after any notices in any order', () => {
  const any = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    ended: fc.boolean(),
    gap: fc.integer({ min: 0, max: GROUP_WINDOW_MS }),
    cause: fc.constantFrom('x', 'y'),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), (list) => {
      let at = 0;
      const later = (gap: number) => {
        at += gap;
        return at;
      };
      const { incidents } = run(
        list.map(({ gap, key, ...rest }) => notice({ ...rest, key, deviceId: key.charCodeAt(0), at: later(gap) })),
      );
      for (const { incident, members } of incidents) {
        const open = [...members.values()].filter((state) => state === 'open').length;
        expect(incident).toMatchObject({ members: members.size, open });
        expect(incident.recoveredAt === null).toBe(open > 0);
        expect(new Set(incident.devices).size).toBe(incident.devices.length);
      }
    }),
  );
});

describe('an incident as its alarms are now', () => {
  /** `cause type level since devices…`: each device has one open alarm. */
  const open = (text: string): OpenCause => {
    const [cause = '', type, level, since, ...devices] = text.split(' ');
    return {
      ...{ cause, type: type as OpenCause['type'], level: level as OpenCause['level'], since: Number(since) },
      ...{ key: since ?? '', code: cause, connector: 1, open: devices.length, devices: devices.map(Number) },
    };
  };
  const { incident } = continueIncident(begun, notice({ key: '2', cause: 'Fan', level: 'CA', type: 'alarmCA' }), 'new');
  test.each<[string, string[], string, [level: string | null, devices: number[], open: number, named: string]]>([
    ['without open alarms it stays', [], 'alarmMA', ['CA', [100], 2, 'GroundFailure']],
    ['what has cleared does not count', ['GroundFailure alarmMA MA 5 7'], 'alarmMA', ['MA', [7], 1, 'GroundFailure']],
    [
      'the type of the notification gives the name',
      ['Fan alarmCA CA 9 7', 'GroundFailure alarmMA MA 5 8'],
      'alarmMA',
      ['CA', [7, 8], 2, 'GroundFailure'],
    ],
    [
      'or the worst, when the type is over',
      ['Fan alarmOA OA 1 7 8', 'GroundFailure alarmMA MA 5 7'],
      'alarmCA',
      ['MA', [7, 8], 3, 'GroundFailure'],
    ],
    [
      'then the one with most devices',
      ['Fan fault MA 1 7', 'GroundFailure fault MA 5 7 8'],
      'alarmCA',
      ['MA', [7, 8], 3, 'GroundFailure'],
    ],
    ['then the oldest', ['Fan fault MA 1 7', 'GroundFailure fault MA 5 8'], 'alarmCA', ['MA', [7, 8], 2, 'Fan']],
    ['unknown causes are one', ['A fault MA 3 7', 'B fault CA 5 7 8'], 'fault', ['CA', [8, 7].sort(), 3, 'B']],
  ])('%s', (_, facts, notified, expected) => {
    const now = currentIncident(incident, facts.map(open));
    const { level, devices, causes } = now;
    expect([level, [...devices].sort(), now.open, namingCause(causes, notified)?.code]).toEqual(expected);
  });

  test('the rest of many causes is as old as its oldest alarm', () => {
    const { causes } = currentIncident(incident, [open('A fault MA 3 7'), open('B fault CA 5 7 8')]);
    expect(causes[OTHER_CAUSES]).toMatchObject({ since: 3, open: 3, devices: [7, 8], level: 'CA', code: 'B' });
    expect(causes.Fan).toMatchObject({ open: 0 });
  });
});
