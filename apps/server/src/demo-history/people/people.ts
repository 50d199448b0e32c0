import { DEFAULT_ZONE, zoneOffset } from '@chargehand/domain';
import type { Random } from '../../../../simulator/src/past/index.ts';
import type { DemoUser, PastSession } from '../../access/index.ts';
import type { PastLogin } from '../../audit/index.ts';

/** A user of the demo, and where they work. */
export interface Person extends DemoUser {
  id: number;
  address: string;
  userAgent: string;
}

const DESK =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** The invented users. Their addresses are reserved for examples (RFC 5737). */
export const DEMO_PEOPLE: readonly Omit<Person, 'id'>[] = [
  {
    ...{ userName: 'lena_wong', nickName: 'Lena Wong', customerCode: null, role: 'Platform engineer' },
    ...{ locale: 'en-US', contact: '+852 5550 0110', siteCodes: [], address: '203.0.113.10', userAgent: DESK },
  },
  {
    ...{ userName: 'ken_lau', nickName: 'Ken Lau', customerCode: 'HARBOUR', role: 'Customer administrator' },
    ...{ locale: 'en-US', contact: '+852 5550 0101', siteCodes: [], address: '203.0.113.21', userAgent: DESK },
  },
  {
    ...{ userName: 'mandy_ho', nickName: 'Mandy Ho', customerCode: 'HARBOUR', role: 'Customer maintainer' },
    ...{ locale: 'en-US', contact: '+852 5550 0102', siteCodes: ['HK-KLB', 'HK-TKO', 'HK-CWB'] },
    ...{ address: '203.0.113.22', userAgent: PHONE },
  },
  {
    ...{ userName: 'zhou_min', nickName: '周敏', customerCode: 'PENGCHENG', role: 'Customer administrator' },
    ...{ locale: 'zh-CN', contact: '+86 755 5550 0201', siteCodes: [], address: '198.51.100.31', userAgent: DESK },
  },
  {
    ...{ userName: 'chen_li', nickName: '陈立', customerCode: 'PENGCHENG', role: 'Customer maintainer' },
    ...{ locale: 'zh-CN', contact: '+86 755 5550 0202', siteCodes: ['SZ-NS', 'SZ-QH', 'SZ-LG'] },
    ...{ address: '198.51.100.32', userAgent: PHONE },
  },
  {
    ...{ userName: 'siti_aminah', nickName: 'Siti Aminah', customerCode: 'STRAITS', role: 'Customer maintainer' },
    ...{ locale: 'en-US', contact: '+65 5550 0301', siteCodes: ['SG-TAM', 'SG-JUR'] },
    ...{ address: '192.0.2.41', userAgent: PHONE },
  },
  {
    ...{ userName: 'farid_rahman', nickName: 'Farid Rahman', customerCode: 'STRAITS', role: 'Viewer' },
    ...{ locale: 'en-US', contact: '+65 5550 0302', siteCodes: [], address: '192.0.2.42', userAgent: DESK },
  },
];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Midnight of the days that begin in a span, in the installation's time zone. */
export function daysIn({ from, to }: { from: number; to: number }): number[] {
  const ahead = zoneOffset(from, DEFAULT_ZONE);
  const days: number[] = [];
  for (let day = Math.ceil((from + ahead) / DAY) * DAY - ahead; day < to; day += DAY) days.push(day);
  return days;
}

/** True on Saturday and Sunday, for the midnight that begins the day. */
export function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day + zoneOffset(day, DEFAULT_ZONE)).getUTCDay());
}

/** The persons who look after the devices of a customer: its maintainers first. */
export function caretakersOf(people: readonly Person[], customerCode: string): Person[] {
  const own = people.filter((person) => person.customerCode === customerCode && person.role !== 'Viewer');
  const vendor = people.filter((person) => person.customerCode === null);
  return [
    ...own.toSorted((one, other) => Number(other.siteCodes.length > 0) - Number(one.siteCodes.length > 0)),
    ...vendor,
  ];
}

/** The sessions of users on working days, and their entries in the log; sometimes with a wrong password before. */
export function drawSignIns(
  people: readonly Person[],
  span: { from: number; to: number },
  random: Random,
): { logins: PastLogin[]; sessions: PastSession[] } {
  const logins: PastLogin[] = [];
  const sessions: PastSession[] = [];
  for (const day of daysIn(span)) {
    for (const person of people) {
      if (!random.chance(isWeekend(day) ? 0.2 : 0.85)) continue;
      const from = day + random.between(8, 11) * HOUR;
      const to = from + random.between(0.5, 7.5) * HOUR;
      // The last sessions have ended before the history does.
      if (to > span.to - MINUTE) continue;
      const { id: userId, userName, address, userAgent } = person;
      const entry = { userId, userName, address, userAgent };
      const expired = random.chance(0.35);
      const endReason = expired ? 'networkTimeout' : 'loggedOut';
      if (random.chance(0.08)) {
        logins.push({ ...entry, at: new Date(from - 20_000), type: 0, reason: 'authRejected', succeeded: false });
      }
      logins.push({ ...entry, at: new Date(from), type: 0, reason: null, succeeded: true });
      logins.push({ ...entry, at: new Date(to), type: 1, reason: endReason, succeeded: true });
      sessions.push({ userId, address, userAgent, from: new Date(from), to: new Date(to), endReason });
    }
  }
  return { logins, sessions };
}
