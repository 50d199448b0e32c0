import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALERT_LIMIT_MS,
  ALERT_LIMITS,
  allowsAlert,
  type CauseNotice,
  endCause,
  heldCauses,
  type IncidentCauses,
  limitedUntil,
  NAMED_CAUSES,
  OTHER_CAUSES,
  REMEMBERED_ALERTS,
  type RecentAlert,
  raiseCause,
  releaseCauses,
  rememberAlert,
  urgencyOf,
  worstFirst,
} from './incident-causes.ts';
import {
  beginIncident,
  continueIncident,
  GROUP_WINDOW_MS,
  type GroupedNotice,
  type Incident,
  isOver,
  joins,
  memberKey,
} from './incidents.ts';
import { breaksPause, MAIL_PAUSE_MS } from './mail-pause.ts';
import { decideDelivery, type MessageSetting, type ReceiverFacts } from './receivers.ts';

const fault = (change: Partial<CauseNotice> = {}): CauseNotice => ({
  ...{ type: 'fault', key: '1', level: 'CA', cause: 'GroundFailure', code: 'GroundFailure', connector: 1 },
  ...{ deviceId: 100, since: 500, at: 1_000, ...change },
});
const raise = (causes: IncidentCauses, change: Partial<CauseNotice> = {}, recent: readonly RecentAlert[] = []) =>
  raiseCause(causes, fault(change), 'new', recent);
const ground = raise({}).causes;
/** As many announcements as the limit allows, one a second. */
const spent = (level: 'OA' | 'MA' | 'CA', count = ALERT_LIMITS[level]): RecentAlert[] =>
  Array.from({ length: count }, (_, index) => ({ at: index * 1_000, level }));

describe('a cause is announced', () => {
  const minor = raise({}, { cause: 'Fan', level: 'OA' }).causes;
  test.each<[string, IncidentCauses, Partial<CauseNotice>, readonly RecentAlert[], string | null]>([
    ['when it is the first', {}, {}, [], 'GroundFailure'],
    ['when it is new and as urgent', ground, { cause: 'OverVoltage' }, [], 'OverVoltage'],
    ['when it is new and more urgent', minor, {}, [], 'GroundFailure'],
    ['not when it is less urgent', ground, { cause: 'Fan', level: 'MA' }, [], null],
    [
      'when what was more urgent is over',
      endCause(ground, 'GroundFailure', 'open'),
      { cause: 'Fan', level: 'OA' },
      [],
      'Fan',
    ],
    ['not again at another device', ground, { deviceId: 101 }, [], null],
    ['again when it gets worse', minor, { cause: 'Fan', level: 'MA' }, [], 'Fan'],
    ['within the limit', ground, { cause: 'OverVoltage' }, spent('CA', ALERT_LIMITS.CA - 1), 'OverVoltage'],
    ['not beyond the limit', ground, { cause: 'OverVoltage', at: 60_000 }, spent('CA'), null],
    ['when an hour has passed', ground, { cause: 'OverVoltage', at: ALERT_LIMIT_MS }, spent('CA'), 'OverVoltage'],
    [
      'whatever less urgent ones were',
      ground,
      { cause: 'OverVoltage' },
      [...spent('MA'), ...spent('MA', 30)],
      'OverVoltage',
    ],
  ])('%s', (_title, causes, change, recent, expected) => {
    expect(raise(causes, change, recent).alerted).toBe(expected);
  });
});

describe('what the limit holds back', () => {
  const { causes } = raise(ground, { cause: 'OverVoltage', at: 60_000 }, spent('CA'));
  test('is announced when the limit allows it', () => {
    expect(heldCauses(causes).map(({ code }) => code)).toEqual(['GroundFailure']);
    expect(limitedUntil(spent('CA'), 'CA', 60_000)).toBe(1_000 + ALERT_LIMIT_MS);
    expect(releaseCauses(causes, spent('CA'), ALERT_LIMIT_MS - 1)).toBeNull();
    const released = releaseCauses(causes, spent('CA'), ALERT_LIMIT_MS);
    expect(released?.OverVoltage).toMatchObject({ held: false, announcedAt: ALERT_LIMIT_MS });
  });
  test('is not announced when it is over', () => {
    const over = endCause(causes, 'OverVoltage', 'open');
    expect([heldCauses(over), releaseCauses(over, [], 2 * ALERT_LIMIT_MS)]).toEqual([[], null]);
  });
});

test('a device that reports ever new codes has a limited number of causes', () => {
  let causes: IncidentCauses = {};
  for (let index = 0; index < 1_000; index += 1) {
    causes = raise(causes, { cause: `C${index}`, key: `${index}` }, spent('CA')).causes;
  }
  expect(Object.keys(causes)).toHaveLength(NAMED_CAUSES + 1);
  expect(causes[OTHER_CAUSES]).toMatchObject({ open: 1_000 - NAMED_CAUSES, held: true });
  expect(endCause(causes, 'C999', 'open')[OTHER_CAUSES]).toMatchObject({ open: 999 - NAMED_CAUSES });
});

test('people read the worst first, then what began last', () => {
  const cause = (level: 'OA' | 'CA' | null, since: number) => ({ level, since });
  expect(worstFirst([cause(null, 9), cause('OA', 1), cause('CA', 1), cause('CA', 2)])).toEqual([
    ...[cause('CA', 2), cause('CA', 1), cause('OA', 1), cause(null, 9)],
  ]);
});

const OFF: MessageSetting = { inApp: false, email: false, push: false, delayed: false };
const ON: MessageSetting = { inApp: true, email: true, push: true, delayed: false };
const TYPES = ['deviceOffline', 'alarmOA', 'alarmMA', 'alarmCA', 'fault', 'unavailable'] as const;

/** A site with one receiver, as the server treats them. */
function site(factsOf: (notice: GroupedNotice) => ReceiverFacts) {
  const incidents: {
    incident: Incident;
    members: Map<string, 'open' | 'over'>;
    known: Set<string>;
    received: boolean;
  }[] = [];
  const recent: RecentAlert[] = [];
  const mails: { at: number; urgency: number }[] = [];
  let waiting: { due: number; urgency: number } | null = null;
  const wants = (notice: GroupedNotice) =>
    decideDelivery(notice.type, factsOf(notice), { now: notice.at, minuteOfDay: 720 });

  return {
    wants,
    /** @returns how the receiver learned of it: now, earlier, or not; and when the mail about it is due */
    take(notice: GroupedNotice): { announced: boolean; mailDue: number | null } {
      for (const one of incidents) {
        if (isOver(one.incident, notice.at)) one.incident = { ...one.incident, closedAt: notice.at };
      }
      if (waiting && waiting.due <= notice.at) {
        mails.push({ at: waiting.due, urgency: waiting.urgency });
        waiting = null;
      }
      const key = memberKey(notice);
      let found = incidents.findLast(({ incident, members }) => incident.closedAt === null && members.has(key));
      if (!found && notice.ended) return { announced: true, mailDue: null };
      found ??= incidents.findLast(({ incident }) => joins(incident, notice));
      const critical = notice.level === 'CA' && allowsAlert(recent, 'CA', notice.at);
      let alerted: string | null = notice.cause;
      if (!found) {
        found = {
          incident: beginIncident(notice, false, recent),
          members: new Map(),
          known: new Set(),
          received: false,
        };
        incidents.push(found);
      } else {
        const step = continueIncident(found.incident, notice, found.members.get(key) ?? 'new', recent);
        found.incident = step.incident;
        alerted = step.alerted;
      }
      found.members.set(key, notice.ended ? 'over' : 'open');
      if (notice.ended) return { announced: true, mailDue: null };
      if (alerted !== null) recent.push({ at: notice.at, level: notice.level });
      const unknown =
        !found.received || (found.incident.causes[notice.cause]?.announcedAt != null && !found.known.has(notice.cause));
      const delivery = wants(notice);
      if ((alerted === null && !unknown) || delivery.refusal !== null) {
        return { announced: found.known.has(notice.cause), mailDue: null };
      }
      found.received = true;
      found.known.add(notice.cause);
      if (delivery.mailAt === null) return { announced: true, mailDue: null };
      const within = mails.filter(({ at }) => notice.at - at < MAIL_PAUSE_MS);
      const last = Math.max(-1, ...within.map(({ urgency }) => urgency));
      const urgency = urgencyOf(notice.level);
      const due = breaksPause({ urgency, critical }, last)
        ? notice.at
        : Math.max(notice.at, ...within.map(({ at }) => at + MAIL_PAUSE_MS));
      waiting = { due: Math.min(due, waiting?.due ?? due), urgency: Math.max(urgency, waiting?.urgency ?? 0) };
      return { announced: true, mailDue: waiting.due };
    },
  };
}

test('every critical alarm is announced at once to each receiver who wants it, whatever was sent before', () => {
  const event = fc.record({
    type: fc.constantFrom(...TYPES),
    level: fc.constantFrom('OA' as const, 'MA' as const, 'CA' as const),
    cause: fc.constantFrom('A', 'B', 'C', 'D'),
    deviceId: fc.integer({ min: 1, max: 5 }),
    gap: fc.constantFrom(0, 1_000, 9_000, 60_000, GROUP_WINDOW_MS - 1, GROUP_WINDOW_MS + 1),
    ends: fc.boolean(),
  });
  const receiver = fc.record({
    off: fc.subarray([...TYPES]),
    muted: fc.subarray([1, 2, 3, 4, 5]),
    onCall: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), receiver, (events, { off, muted, onCall }) => {
      const one = site(({ type, deviceId }) => ({
        ...{ active: true, actor: false, named: true, inScope: true, permitted: true, hasAddress: true },
        ...{ hasBrowser: true, role: null, emailAlarm: false, siteReceiver: false, wasOnCall: false, quiet: null },
        ...{ digestAt: 480, onCall, muted: muted.includes(deviceId!) },
        own: (off as readonly string[]).includes(type) ? OFF : ON,
      }));
      let at = 0;
      const open: GroupedNotice[] = [];
      for (const { gap, ends, type, level, cause, deviceId } of events) {
        at += gap + 1;
        const ended = ends ? open.shift() : undefined;
        if (ended) one.take({ ...ended, at, ended: true });
        const notice: GroupedNotice = {
          ...{ type, level, cause, code: cause, deviceId, connector: 1, key: `${at}`, siteId: 1, since: at, at },
          ended: false,
        };
        open.push(notice);
        const { announced, mailDue } = one.take(notice);
        if (level !== 'CA' || one.wants(notice).refusal !== null) continue;
        expect(announced).toBe(true);
        expect(mailDue === null || mailDue === at).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a flood is limited, and everything that is held back is announced within the hour', () => {
  const level = fc.constantFrom('OA' as const, 'MA' as const, 'CA' as const);
  const gaps = fc.integer({ min: 1, max: 10 * 60_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(level, gaps), { maxLength: 45 }), (list) => {
      let at = 0;
      let causes: IncidentCauses = {};
      let recent: RecentAlert[] = [];
      const announce = (next: RecentAlert) => {
        recent = [...recent, next];
        const within = recent.filter((one) => one.level === next.level && next.at - one.at < ALERT_LIMIT_MS);
        expect(within.length).toBeLessThanOrEqual(ALERT_LIMITS[next.level!]);
      };
      const release = () => {
        const [worst] = heldCauses(causes);
        const released = releaseCauses(causes, recent, at);
        if (!released) return;
        causes = released;
        announce({ at, level: worst!.level });
      };
      for (const [index, [urgency, gap]] of list.entries()) {
        at += gap;
        release();
        const step = raiseCause(causes, fault({ cause: `C${index}`, level: urgency, at: at + 0.5 }), 'new', recent);
        causes = step.causes;
        if (step.alerted !== null) announce({ at: at + 0.5, level: urgency });
      }
      at += ALERT_LIMIT_MS + 1;
      release();
      expect(heldCauses(causes)).toEqual([]);
    }),
  );
});

test('the limits decide the same with the announcements that are remembered, which are few', () => {
  const levels = ['OA', 'MA', 'CA', null] as const;
  const alert = fc.record({ at: fc.integer({ min: 0, max: 2 * ALERT_LIMIT_MS }), level: fc.constantFrom(...levels) });
  fc.assert(
    fc.property(fc.array(alert, { maxLength: 200 }), fc.integer({ min: 0, max: 3 * ALERT_LIMIT_MS }), (all, at) => {
      const kept = all.reduce<RecentAlert[]>(rememberAlert, []);
      expect(kept.length).toBeLessThanOrEqual(levels.length * REMEMBERED_ALERTS);
      for (const level of levels) {
        expect(allowsAlert(kept, level, at)).toBe(allowsAlert(all, level, at));
        expect(limitedUntil(kept, level, at)).toBe(limitedUntil(all, level, at));
      }
    }),
  );
});
