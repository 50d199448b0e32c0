import { ISSUE_PRIORITIES, ISSUE_TYPES } from '@chargehand/domain';
import type { PastAlarm } from '../../alarms/index.ts';
import { DEMO_CUSTOMERS, type DemoDevice } from '../../fleet/index.ts';
import type { PastIssue, PastIssueStep } from '../../issues/index.ts';
import { type AlarmStory, STORIES } from './issue-stories.ts';
import { caretakersOf, type Person } from './people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Given {
  people: readonly Person[];
  devices: ReadonlyMap<number, DemoDevice>;
  /** in the order of time */
  alarms: readonly PastAlarm[];
  alarmIds: readonly number[];
  to: number;
}

/** The issues of the weeks: of alarms that were repaired, of devices that are still away, and of drivers. */
export function issuesOf(given: Given): PastIssue[] {
  return [...DEMO_CUSTOMERS.flatMap(({ code }) => repaired(given, code)), ...away(given), ...others(given)];
}

const workerOf = ({ id, userName }: Person) => ({ userId: id, userName });
const later = (at: number, ms: number) => new Date(at + ms);

/** One issue for each alarm code with a story of a customer: its last alarm that is over. The newest one came back. */
function repaired({ people, devices, alarms, alarmIds, to }: Given, customerCode: string): PastIssue[] {
  const [person] = caretakersOf(people, customerCode);
  if (!person) return [];
  const covered = new Set<string>();
  const found = alarms
    .map((alarm, index) => ({ alarm, id: alarmIds[index] ?? 0, story: STORIES[alarm.code] }))
    .filter(({ alarm }) => devices.get(alarm.deviceId)?.customerCode === customerCode && alarm.clearedAt !== null)
    .toReversed()
    .flatMap(({ alarm, id, story }) => {
      // The repair must be over before the history is.
      if (!story || covered.has(alarm.code) || alarm.raisedAt.getTime() > to - 2 * DAY) return [];
      covered.add(alarm.code);
      return [{ alarm, id, story }];
    });
  return found.slice(0, 4).map(({ alarm, id, story }, index) => ({
    ...repair(alarm.raisedAt.getTime(), person, story, index === 0),
    ...{ origin: { alarmId: id }, priority: ISSUE_PRIORITIES[alarm.level] },
  }));
}

function repair(raisedAt: number, person: Person, story: AlarmStory, again: boolean) {
  const { type, cause, remedy } = story;
  const words = story[person.locale];
  const by = workerOf(person);
  const at = raisedAt + 12 * MINUTE;
  const steps: PastIssueStep[] = [
    { kind: 'start', at: later(at, 25 * MINUTE), by },
    { kind: 'comment', at: later(at, 3 * HOUR), by, text: words.found },
    {
      ...{ kind: 'close', at: later(at, 20 * HOUR), by, cause, remedy },
      ...{ causeText: words.cause, remedyText: words.remedy },
    },
  ];
  if (again) {
    steps.push(
      { kind: 'reopen', at: later(at, 29 * HOUR), by },
      { kind: 'comment', at: later(at, 29.2 * HOUR), by, text: words.again },
    );
  }
  const assigned = again ? { assigneeId: person.id, labels: [words.label] } : { assigneeId: person.id };
  return { at: new Date(at), by, title: words.title, text: words.text, type, ...assigned, steps };
}

/** The issues of the alarms that are still open: one that somebody works on, and one that a driver reported. */
function away({ people, devices, alarms, alarmIds, to }: Given): PastIssue[] {
  const open = alarms.flatMap((alarm, index) => {
    const device = devices.get(alarm.deviceId);
    return alarm.clearedAt === null && device ? [{ alarm, id: alarmIds[index] ?? 0, device }] : [];
  });
  return open.flatMap(({ alarm, id, device }): PastIssue[] => {
    const [person] = caretakersOf(people, device.customerCode);
    const since = alarm.raisedAt.getTime();
    const origin = { alarmId: id };
    const priority = ISSUE_PRIORITIES[alarm.level];
    if (!person) return [];
    if (to - since < DAY) {
      return [
        {
          ...{ origin, priority, at: later(since, 2 * HOUR), by: null, type: ISSUE_TYPES.charging },
          ...{ title: 'The screen is black and my cable stays locked', steps: [] },
          text: 'The screen is black and my cable stays locked. I had to ask the security guard to release it.',
          report: { connector: 1, locale: 'en-US', contact: '+852 5550 0177' },
        },
      ];
    }
    const by = workerOf(person);
    return [
      {
        ...{ origin, priority, at: later(since, 40 * MINUTE), by, type: ISSUE_TYPES.hardware },
        title: `${device.name} does not come back after the power cut`,
        text: 'The other piles of the site reconnected within minutes. This one does not answer.',
        ...{ assigneeId: person.id, dueAt: later(to, DAY), labels: ['power cut'] },
        steps: [
          { kind: 'start', at: later(since, 2 * HOUR), by },
          {
            ...{ kind: 'comment', at: later(since, 2.1 * HOUR), by },
            text: 'The router at the site answers, so the problem is in the cabinet. I go there tomorrow.',
          },
          {
            ...{ kind: 'comment', at: later(since, 24 * HOUR), by, internal: true },
            text: 'The 24 V supply is dead. A spare part is ordered; the workshop has none left.',
          },
        ],
      },
    ];
  });
}

/** Issues without an alarm: one that is late, and one of a whole site. */
function others({ people, devices, to }: Given): PastIssue[] {
  const all = [...devices.values()];
  const deviceIn = (siteCode: string) => all.find((device) => device.siteCode === siteCode);
  const worn = deviceIn('HK-KLB');
  const blocked = deviceIn('SZ-NS');
  const mandy = people.find(({ userName }) => userName === 'mandy_ho');
  const zhou = people.find(({ userName }) => userName === 'zhou_min');
  return [
    ...(worn && mandy
      ? [
          {
            ...{ origin: { deviceId: worn.id }, at: later(to, -6 * DAY), by: workerOf(mandy) },
            ...{ type: ISSUE_TYPES.hardware, priority: ISSUE_PRIORITIES.MA, labels: ['safety'] },
            title: 'Charging cable is worn near the plug',
            text: 'The outer jacket is torn over 3 cm. No conductor is visible yet.',
            ...{ assigneeId: mandy.id, dueAt: later(to, -DAY), steps: [] },
          },
        ]
      : []),
    ...(blocked && zhou
      ? [
          {
            ...{ origin: { siteId: blocked.siteId }, at: later(to, -30 * HOUR), by: workerOf(zhou) },
            ...{ type: ISSUE_TYPES.other, priority: ISSUE_PRIORITIES.OA, labels: ['现场'], steps: [] },
            title: '充电车位经常被燃油车占用',
            text: '晚高峰约三分之一车位被占。需增设标识，并请物业协助管理。',
          },
        ]
      : []),
  ];
}
