import { expect, test } from 'vitest';
import { type AlarmGroup, causeOfFault, incidentsOf } from './incidents.ts';

test.each([
  ['offline', 'Offline', 'offline'],
  ['offline', 'ConnectionLost', 'offline'],
  ['fault', 'GroundFailure', 'GroundFailure'],
] as const)('the cause of an alarm of the kind %s with the code %s is %s', (kind, code, cause) => {
  expect(causeOfFault({ kind, code })).toBe(cause);
});

const MINUTE = 60_000;

/** `cause@site level from-to devices`, times in minutes, and `#incident` if users were notified. */
function group(text: string): AlarmGroup {
  const [, cause = '', site, level, from, to, devices, incident] =
    /^(\w+)@(\d) (\w+) (\d+)-(\d+) (\d+)(?: #(\d))?$/.exec(text) ?? [];
  return {
    ...{ cause, siteId: Number(site), level: level as AlarmGroup['level'] },
    ...{ since: Number(from) * MINUTE, lastAt: Number(to) * MINUTE },
    ...{
      deviceCount: Number(devices),
      announcedAt: null,
      incidentId: incident === undefined ? null : Number(incident),
    },
  };
}

test.each([
  ['causes of a site are incidents of their own', ['A@1 CA 0-0 1', 'B@1 MA 1-1 2'], ['A', 'B']],
  ['a site-wide cause takes up what begins within ten minutes', ['A@1 MA 0-5 3', 'B@1 MA 14-14 1'], ['A B']],
  ['and not what begins later', ['A@1 MA 0-5 3', 'B@1 MA 16-16 1'], ['A', 'B']],
  ['nor what began before it', ['A@1 MA 5-5 3', 'B@1 MA 4-4 1'], ['A', 'B']],
  ['nor what happens at other sites', ['A@1 MA 0-5 3', 'B@2 MA 1-1 1'], ['A', 'B']],
  ['the highest level gives the name', ['A@1 OA 0-5 9', 'B@1 CA 2-2 1'], ['B A']],
  ['the wider one of two takes up the other', ['A@1 MA 2-2 3', 'B@1 MA 0-5 4'], ['B A']],
  ['the order of the leaders stays', ['C@2 CA 9-9 1', 'A@1 MA 0-5 3', 'B@1 OA 1-1 1'], ['C', 'A B']],
  ['the groups of a message are one', ['A@1 MA 0-0 1 #1', 'B@1 CA 90-90 1 #1'], ['B A']],
  ['those of two messages are two', ['A@1 MA 0-5 3 #1', 'B@1 MA 1-1 1 #2'], ['A', 'B']],
  ['a group without a message joins none', ['A@1 MA 0-5 3 #1', 'B@1 MA 1-1 1'], ['A', 'B']],
] as const)('%s', (_, groups, incidents) => {
  expect(incidentsOf(groups.map(group)).map((one) => one.map(({ cause }) => cause).join(' '))).toEqual(incidents);
});
