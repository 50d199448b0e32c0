import type { CommandInputs, CommandKind, ExecutionReason, ExecutionResult } from '@chargehand/domain';
import type { Interruption, Random } from '../../../../simulator/src/past/index.ts';
import type { DemoDevice } from '../../fleet/index.ts';
import { caretakersOf, daysIn, isWeekend, type Person } from './people.ts';

/** What people and circumstances did to the fleet, in the order of time. Epoch milliseconds. */
export interface Plan {
  commands: PlannedCommand[];
  works: PlannedWork[];
  rollout: PlannedRollout | null;
  /** what this means for devices, by id */
  interruptions: Map<number, Interruption[]>;
}

export interface PlannedCommand {
  at: number;
  person: Person;
  device: DemoDevice;
  kind: CommandKind;
  connector: number;
  params: CommandInputs;
  result: Exclude<ExecutionResult, 'waiting'>;
  reason: ExecutionReason;
  answer: unknown;
  /** from sending to the result */
  lasts: number;
}

export interface PlannedWork {
  from: number;
  to: number;
  person: Person;
  device: DemoDevice;
  note: string;
}

/** An upgrade of the chargers of a site, and its repetition on those where it failed. */
export interface PlannedRollout {
  person: Person;
  version: string;
  uploadedAt: number;
  devices: DemoDevice[];
  rounds: { at: number; upgrades: PlannedUpgrade[] }[];
}

export interface PlannedUpgrade {
  device: DemoDevice;
  from: number;
  to: number;
  outcome: 'verified' | 'downloadFailed' | 'noProgress';
}

export interface Span {
  from: number;
  to: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The version that the rollout installs. */
const VERSION = '5.4.0';
/** The site that lost its power for some hours. */
export const DARK_SITE = 'SG-TAM';

/** Plans the weeks. `chargers` are those with OCPP 1.6 first, all in the order of their ids. */
export function planWeeks(
  span: Span,
  fleet: { chargers: readonly DemoDevice[]; people: readonly Person[]; isNewer: (device: DemoDevice) => boolean },
  random: Random,
): Plan {
  const interruptions = new Map<number, Interruption[]>();
  const interrupt = (device: DemoDevice, one: Interruption): boolean => {
    const known = interruptions.get(device.id) ?? [];
    if (known.some((other) => one.from < other.to + 5 * MINUTE && other.from - 5 * MINUTE < one.to)) return false;
    if (one.from < span.from || one.to > span.to - 10 * MINUTE) return false;
    interruptions.set(
      device.id,
      [...known, one].sort((a, b) => a.from - b.from),
    );
    return true;
  };
  const days = daysIn(span);
  const daysAgo = (count: number) => days.at(-count) ?? span.from;
  for (const device of fleet.chargers.filter(({ siteCode }) => siteCode === DARK_SITE)) {
    const from = daysAgo(6) + 9.7 * HOUR + random.between(0, 20) * SECOND;
    interrupt(device, { kind: 'power', from, to: from + 155 * MINUTE + random.between(10, 90) * SECOND });
  }
  const rollout = planRollout(daysAgo(4), fleet, interrupt);
  const works = planWorks(days, fleet, interrupt, random);
  const commands = planCommands(days, span, fleet, interrupt, random);
  return { commands, works, rollout, interruptions };
}

type Interrupt = (device: DemoDevice, one: Interruption) => boolean;
type Fleet = Parameters<typeof planWeeks>[1];

/** At night: two of the upgrades of the largest site fail, and are repeated in the morning. */
function planRollout(day: number, { chargers, people, isNewer }: Fleet, interrupt: Interrupt): PlannedRollout | null {
  const bySite = Map.groupBy(
    chargers.filter((device) => !isNewer(device)),
    ({ siteId }) => siteId,
  );
  const [devices] = [...bySite.values()].sort((one, other) => other.length - one.length);
  const person = people.find(({ customerCode }) => customerCode === null);
  if (!devices || !person) return null;
  const upgradesOf = (some: readonly DemoDevice[], at: number, outcomes: readonly PlannedUpgrade['outcome'][]) =>
    some.map((device, index): PlannedUpgrade => {
      const outcome = outcomes[index] ?? 'verified';
      const lasts = outcome === 'noProgress' ? 30 * MINUTE : outcome === 'downloadFailed' ? 4 * MINUTE : 6 * MINUTE;
      return { device, outcome, from: at + 2 * SECOND, to: at + lasts + index * 17 * SECOND };
    });
  const night = day + 2.5 * HOUR;
  const morning = day + 10.25 * HOUR;
  const first = upgradesOf(devices, night, ['verified', 'downloadFailed', 'verified', 'noProgress']);
  const failed = first.filter(({ outcome }) => outcome !== 'verified').map(({ device }) => device);
  const rounds = [{ at: night, upgrades: first }];
  if (failed.length > 0) rounds.push({ at: morning, upgrades: upgradesOf(failed, morning, []) });
  for (const { device, from, to, outcome } of rounds.flatMap(({ upgrades }) => upgrades)) {
    if (outcome === 'verified') interrupt(device, { kind: 'update', from: from + 90 * SECOND, to });
  }
  return { person, version: VERSION, uploadedAt: day - 9 * HOUR, devices, rounds };
}

const WORKS: readonly { zh: string; en: string; hours: number }[] = [
  { en: 'Filters changed, contactors cleaned', zh: '更换防尘滤网，清洁接触器', hours: 1.2 },
  { en: 'Connector 1: lock replaced', zh: '1 号枪更换电子锁', hours: 1.8 },
  { en: 'Yearly inspection, insulation measured', zh: '年检，测量绝缘电阻', hours: 0.9 },
  { en: 'Card reader replaced', zh: '更换读卡器', hours: 0.7 },
];

/** Technicians on site on some working days. */
function planWorks(
  days: readonly number[],
  { chargers, people }: Fleet,
  interrupt: Interrupt,
  random: Random,
): PlannedWork[] {
  const works: PlannedWork[] = [];
  for (const day of days.filter((one) => !isWeekend(one)).filter((_, index) => index % 2 === 1)) {
    const device = random.pick(chargers);
    const work = random.pick(WORKS);
    const [person] = caretakersOf(people, device.customerCode);
    const from = day + random.between(9.5, 15) * HOUR;
    const to = from + work.hours * HOUR;
    if (person && interrupt(device, { kind: 'maintenance', from, to })) {
      works.push({ from, to, person, device, note: person.locale === 'zh-CN' ? work.zh : work.en });
    }
  }
  return works;
}

interface Choice extends Pick<PlannedCommand, 'kind' | 'params' | 'reason' | 'result' | 'answer'> {
  connector?: number;
  seconds: readonly [number, number];
}

const DONE = { result: 'success', answer: { status: 'Accepted' } } as const;

/** Commands of a usual week. Most succeed. */
const CHOICES: readonly Choice[] = [
  { ...DONE, kind: 'softReset', params: {}, reason: 'restarted', seconds: [9, 20] },
  { ...DONE, kind: 'softReset', params: {}, reason: 'restarted', seconds: [9, 20] },
  { ...DONE, kind: 'hardReset', params: {}, reason: 'restarted', seconds: [20, 45] },
  { ...DONE, kind: 'clearCache', params: {}, reason: 'accepted', seconds: [0.2, 1] },
  { ...DONE, kind: 'clearCache', params: {}, reason: 'accepted', seconds: [0.2, 1] },
  { ...DONE, kind: 'triggerMessage', params: { message: 'Heartbeat' }, reason: 'messageReceived', seconds: [0.5, 2] },
  {
    ...DONE,
    kind: 'triggerMessage',
    params: { message: 'StatusNotification' },
    reason: 'messageReceived',
    seconds: [0.5, 2],
  },
  {
    ...{ kind: 'unlockConnector', params: {}, connector: 1, result: 'success', reason: 'unlocked', seconds: [1, 3] },
    answer: { status: 'Unlocked' },
  },
  {
    ...{
      kind: 'unlockConnector',
      params: {},
      connector: 1,
      result: 'failure',
      reason: 'unlockFailed',
      seconds: [2, 6],
    },
    answer: { status: 'UnlockFailed' },
  },
  {
    ...{ ...DONE, kind: 'setParameter', params: { key: 'HeartbeatInterval', value: '60' } },
    ...{ reason: 'accepted', seconds: [0.3, 2] },
  },
  {
    ...{ kind: 'setParameter', params: { key: 'MeterValueSampleInterval', value: '30' }, result: 'success' },
    ...{ reason: 'accepted', answer: { status: 'Accepted' }, seconds: [0.3, 2] },
  },
  {
    ...{ kind: 'triggerMessage', params: { message: 'MeterValues' }, result: 'failure', reason: 'rejected' },
    ...{ answer: { status: 'Rejected' }, seconds: [0.5, 2] },
  },
  { kind: 'clearCache', params: {}, result: 'timeout', reason: 'noAnswer', answer: null, seconds: [30, 30] },
];

/** Commands of the working hours. */
function planCommands(
  days: readonly number[],
  span: Span,
  { chargers, people, isNewer }: Fleet,
  interrupt: Interrupt,
  random: Random,
): PlannedCommand[] {
  const commands: PlannedCommand[] = [];
  for (const day of days) {
    for (let left = isWeekend(day) ? 2 : random.integer(5, 9); left > 0; left -= 1) {
      const device = random.pick(chargers);
      const { seconds, connector = 0, ...choice } = random.pick(CHOICES);
      const person = random.pick(caretakersOf(people, device.customerCode));
      const at = day + random.between(8.5, 19) * HOUR;
      const lasts = random.between(seconds[0], seconds[1]) * SECOND;
      // The names of parameters and messages differ in OCPP 2.0.1.
      if (isNewer(device) && choice.kind !== 'softReset' && choice.kind !== 'clearCache') continue;
      if (at + HOUR > span.to) continue;
      if (choice.reason === 'restarted') {
        if (!interrupt(device, { kind: 'restart', from: at + SECOND, to: at + lasts })) continue;
      }
      commands.push({ ...choice, at, person, device, connector, lasts });
    }
  }
  return commands.sort((one, other) => one.at - other.at);
}
