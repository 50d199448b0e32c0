import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allowedMinutesLeft,
  type LinkRequestFacts,
  linkPort,
  linkRefusal,
  linkUntil,
  linkUser,
  MAX_LINK_MINUTES,
  MAX_LINKS_OF_DEVICE,
  OPEN_POLICY,
  permitsForward,
  permitsLink,
  readLinkUser,
  ticketFault,
} from './link-rules.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

test.each([
  ['a root account', { root: true, remoteAccess: 0 }, { ssh: true, web: true, vpn: true }],
  ['no access', { root: false, remoteAccess: 0 }, { ssh: false, web: false, vpn: false }],
  ['a shell', { root: false, remoteAccess: 1 }, { ssh: true, web: true, vpn: true }],
  ['the pages of administrators', { root: false, remoteAccess: 2 }, { ssh: false, web: true, vpn: false }],
  ['the pages of engineers', { root: false, remoteAccess: 3 }, { ssh: false, web: true, vpn: false }],
  ['an unknown access', { root: false, remoteAccess: 4 }, { ssh: false, web: false, vpn: false }],
])('%s', (_, holder, permitted) => {
  for (const kind of ['ssh', 'web', 'vpn'] as const) expect(permitsLink(holder, kind)).toBe(permitted[kind]);
});

describe('requests', () => {
  const ssh: LinkRequestFacts = {
    ...{ kind: 'ssh', deviceEnabled: true, connected: true, sshSupport: true, webSupport: false },
    ...{ policy: OPEN_POLICY, minuteOfDay: 600, active: 0 },
  };
  const web = { kind: 'web', sshSupport: false, webSupport: true } as const;
  const hours = { ...OPEN_POLICY, hours: { from: 480, until: 600 } };
  test.each<[string, Partial<LinkRequestFacts>, ReturnType<typeof linkRefusal>]>([
    ['a terminal', {}, null],
    ['web pages', web, null],
    ['VPN', { kind: 'vpn' }, null],
    ['a disabled device', { deviceEnabled: false, connected: false }, 'deviceDisabled'],
    ['an offline device', { connected: false }, 'deviceOffline'],
    ['a model without SSH', { sshSupport: false, webSupport: true }, 'linkNotSupported'],
    ['VPN to a model without SSH', { ...web, kind: 'vpn' }, 'linkNotSupported'],
    ['web pages of a model without them', { ...web, webSupport: false, sshSupport: true }, 'linkNotSupported'],
    ['web pages that the customer forbids', { ...web, policy: { ...OPEN_POLICY, web: false } }, 'linkPagesForbidden'],
    ['a terminal of a customer that forbids web pages', { policy: { ...OPEN_POLICY, web: false } }, null],
    ['after the allowed hours', { policy: hours }, 'linkOutsideHours'],
    ['in the allowed hours', { policy: hours, minuteOfDay: 599 }, null],
    ['the last link', { active: MAX_LINKS_OF_DEVICE - 1 }, null],
    ['too many links', { active: MAX_LINKS_OF_DEVICE }, 'linkTooMany'],
  ])('%s', (_, facts, refusal) => {
    expect(linkRefusal({ ...ssh, ...facts })).toBe(refusal);
  });
});

describe('allowed hours', () => {
  test.each([
    [480, 1080, 479, 0],
    [480, 1080, 480, 600],
    [480, 1080, 1079, 1],
    [480, 1080, 1080, 0],
    [1320, 360, 1320, 480],
    [1320, 360, 0, 360],
    [1320, 360, 360, 0],
    [1320, 360, 720, 0],
    [600, 600, 0, null],
  ])('from %s until %s, at %s: %s minutes left', (from, until, minute, left) => {
    expect(allowedMinutesLeft({ ...OPEN_POLICY, hours: { from, until } }, minute)).toBe(left);
  });

  test('a link never outlives them, and never the longest duration', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(minute, minute, minute, fc.integer({ min: 1, max: 10_000 }), (from, until, minuteOfDay, minutes) => {
        const policy = { ...OPEN_POLICY, hours: { from, until } };
        const lasts = (linkUntil({ policy, minuteOfDay }, minutes, NOW).getTime() - NOW.getTime()) / 60_000;
        expect(lasts).toBeLessThanOrEqual(Math.min(minutes, MAX_LINK_MINUTES));
        const left = allowedMinutesLeft(policy, minuteOfDay);
        if (left === null) expect(lasts).toBe(Math.min(minutes, MAX_LINK_MINUTES));
        else expect(lasts).toBeLessThanOrEqual(left);
      }),
    );
  });
});

test.each([
  ['localhost', 22, true],
  ['127.0.0.1', 22, true],
  ['', 22, true],
  ['localhost', 23, false],
  ['localhost', 0, false],
  ['0.0.0.0', 22, false],
  ['*', 22, false],
  ['::', 22, false],
  ['192.0.2.1', 22, false],
])('a forward on %j, port %s: %s', (address, port, permitted) => {
  expect(permitsForward([linkPort('ssh')], { address, port })).toBe(permitted);
});

test('the user name of a link is read as it was written, for any serial number', () => {
  const sn = fc.string({ minLength: 1, maxLength: 48, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(sn, fc.integer({ min: 1, max: 2_147_483_647 }), (text, linkId) => {
      expect(readLinkUser(linkUser(text, linkId))).toEqual({ sn: text, linkId, shellUser: null });
      const withUser = readLinkUser(`${linkUser(text, linkId)}+root`);
      expect(withUser).toEqual({ sn: text, linkId, shellUser: 'root' });
    }),
  );
});

test.each([
  '',
  'root',
  'PILE',
  'PILE.',
  '.7',
  'PILE.0',
  'PILE.07',
  'PILE.x',
  'PILE.2147483648',
  'PILE.7 ',
  'PILE.7+',
  'PILE.7+a b',
  'PILE.7+-x',
])('%j is no user name of a link', (name) => {
  expect(readLinkUser(name)).toBeNull();
});

test.each([
  ['the right ticket', {}, null],
  ['a wrong ticket', { matches: false }, 'wrong'],
  ['a wrong ticket of an ended link', { matches: false, state: 'ended' }, 'wrong'],
  ['before a ticket was sent', { until: null }, 'wrong'],
  ['a second use', { usedAt: NOW }, 'used'],
  ['too late', { until: NOW }, 'expired'],
  ['an ended link', { state: 'ended', until: NOW }, 'over'],
] as const)('%s', (_, facts, fault) => {
  expect(ticketFault({ matches: true, state: 'waiting', usedAt: null, until: after(1), ...facts }, NOW)).toBe(fault);
});
