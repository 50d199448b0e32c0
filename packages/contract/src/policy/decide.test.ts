import { describe, expect, test } from 'vitest';
import { type CodeName, ENDPOINTS, type Endpoint, type SessionPolicy } from '../index.ts';
import { decide, type Facts, refusalBeforeRows } from './decide.ts';
import { decideSession } from './decide-session.ts';
import { ROW_TYPES } from './policy.ts';
import { levelsNeeded } from './policy-levels.ts';
import {
  ADMIN,
  ASSIGNED,
  BY_ID,
  codeOf,
  DEVICE,
  FILE,
  HIDDEN,
  MODEL,
  PAGE,
  type Person,
  READER,
  ROOT,
  SOUTH,
  USER,
  VENDOR,
} from './testing/people.ts';

describe('every endpoint as every kind of user', () => {
  const signedIn = Object.values<Endpoint>(ENDPOINTS).filter(({ policy }) => policy.route !== 'public');
  test.each(signedIn.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
    const policy = endpoint.policy as SessionPolicy;
    const { who } = policy;
    const row = typeof policy.row === 'object' && !policy.row.each ? policy.row : null;
    const each = typeof policy.row === 'object' && policy.row.each === true;
    const stored = row && ['attachment', 'folder'].includes(ROW_TYPES[row.object]);
    const facts: Facts = each
      ? { rows: null }
      : {
          rows: row ? [row.object === 'document' ? PAGE : stored ? FILE : { ...DEVICE, linkKind: 'ssh' }] : [],
          links: ['ssh'],
          exceeds: false,
        };
    const changes = ['create', 'update', 'delete', 'control'].includes(endpoint.effect);
    const denied = (is: unknown): CodeName | null => (is ? 'noPermission' : null);
    const own = stored ? FILE.own : PAGE.own;
    const needed = each ? [] : (levelsNeeded(policy.level, MODEL, null, own) ?? []);
    const tooLow =
      !each &&
      needed.some(({ level }) => level < 5) &&
      !(!row && typeof policy.level === 'object' && 'own' in policy.level);
    const outside = row ? (row.outside ?? 'notFound') : null;
    const expected: [string, Person, Facts, CodeName | null][] = [
      ['root', ROOT, facts, null],
      ['staff of the vendor', VENDOR, facts, denied(who === 'root')],
      ['an administrator of the customer', ADMIN, facts, denied(who)],
      ['a user with assigned sites', ASSIGNED, facts, denied(who || row?.whole)],
      ['a user with the lowest levels', READER, facts, denied(who || tooLow)],
      ['a user whose menus do not include it', { ...ADMIN, reaches: false }, facts, 'noPermission'],
      ['a user of a read-only customer', { ...ADMIN, readOnlyCustomer: true }, facts, denied(who || changes)],
      ['a disabled user', { ...ADMIN, enabled: false }, facts, 'accountDisabled'],
      ['a user of a disabled customer', { ...ADMIN, customerEnabled: false }, facts, 'accountDisabled'],
      ['root, of a read-only customer', { ...ROOT, readOnlyCustomer: true, reaches: false }, facts, null],
    ];
    if (outside) expected.push(['root, a row that does not exist', ROOT, HIDDEN, outside]);
    if (outside && !who) expected.push(['a row of another customer', ADMIN, HIDDEN, outside]);
    if (policy.remote) expected.push(['no links in the role', { ...ADMIN, remoteAccess: 0 }, facts, 'noPermission']);
    if (policy.withinOwnRights && !each)
      expected.push(['a target with more rights', who ? VENDOR : ADMIN, { ...facts, exceeds: true }, 'roleExceeds']);
    for (const [title, person, given, code] of expected)
      expect([title, codeOf(person, endpoint, given)]).toEqual([title, code]);
  });
});

describe('what an explanation shows', () => {
  const reasons = (id: string, person: Person, facts: Facts, options = {}) => {
    const endpoint = BY_ID.get(id)!;
    const steps = [
      ...decideSession(person, endpoint, options),
      ...decide(endpoint.policy as SessionPolicy, person, facts),
    ];
    return steps.map(
      ({ step, reason, refusedWith, open }) => `${step} ${reason}${open ? ' ?' : refusedWith ? ' !' : ''}`,
    );
  };
  const session = ['account signedIn', 'password passwordOwn', 'privacy privacyAccepted', 'route menuHeld'];

  test('all steps, also those after one that fails', () => {
    expect(reasons('users.update', { ...READER, reaches: false }, { rows: [USER], exceeds: true })).toEqual([
      ...['account signedIn', 'password passwordOwn', 'privacy privacyAccepted', 'route menuMissing !'],
      ...['readOnly changes', 'row rowInScope', 'level levelMissing !', 'holding holdsMore !'],
    ]);
  });

  test('what depends on a row or a control that the question does not name is open', () => {
    const sends = [...session, 'readOnly changes'];
    expect(reasons('commands.send', ADMIN, { rows: null })).toEqual([
      ...sends,
      'row rowNeeded ?',
      'level levelNeedsDevice ?',
    ]);
    const described = { rows: [{ ...DEVICE, described: true }] };
    expect(reasons('commands.send', ADMIN, described)).toEqual([
      ...sends,
      'row rowInScope',
      'level levelNeedsControl ?',
    ]);
    expect(reasons('parameters.set', ADMIN, described)).toContain('level levelNeedsParameters ?');
    const control = { type: 1, level: 0, reading: null, precondition: null } as const;
    expect(reasons('commands.send', ADMIN, { ...described, kind: 'softReset', control })).toContain(
      'level levelMissing !',
    );
    expect(reasons('commands.send', ADMIN, { ...described, kind: 'softReset', control: null })).toContain(
      'level controlNotOffered !',
    );
    expect(reasons('links.request', { ...ADMIN, remoteAccess: 3 }, { rows: [DEVICE] })).toContain(
      'remote remotePagesOnly ?',
    );
    expect(reasons('links.request', { ...ADMIN, remoteAccess: 0 }, { rows: [DEVICE] })).toContain(
      'remote remoteMissing !',
    );
  });

  test('applications do not sign in, so the password, the second factor and the privacy policy do not matter', () => {
    const waits = { ...ADMIN, passwordGiven: true, secondFactorDue: true, privacyWaits: true };
    expect(reasons('devices.list', waits, { rows: [] }, { signsIn: false })).toEqual([
      ...['account signedIn', 'route menuHeld', 'readOnly readsOnly'],
    ]);
  });

  test('who, and a level that is checked first, refuse a call before its rows are read', () => {
    const early = (id: string) => refusalBeforeRows(BY_ID.get(id)!.policy as SessionPolicy, READER)?.reason;
    expect(early('users.create')).toBe('levelMissing');
    expect(early('users.update')).toBeUndefined();
    expect(early('mails.read')).toBe('notRoot');
  });

  test('the same reason for many rows is one step', () => {
    expect(reasons('alarms.acknowledge', VENDOR, { rows: [DEVICE, DEVICE, DEVICE] }).slice(-2)).toEqual([
      ...['row allRows', 'level levelHeld'],
    ]);
  });
});

describe('several rows or links', () => {
  const refused = (policy: object, person: Person, facts: Facts) =>
    decide(policy as SessionPolicy, person, facts).filter(({ refusedWith }) => refusedWith !== null);

  test('a user must see all of the customer of each row, not only of one', () => {
    const policy = { row: { object: 'site', from: 'body.siteIds', whole: true } };
    const foreign = { ...DEVICE, customerId: SOUTH };
    expect(refused(policy, ADMIN, { rows: [DEVICE, DEVICE] })).toEqual([]);
    expect(refused(policy, ADMIN, { rows: [DEVICE, foreign] })).toMatchObject([{ reason: 'wholeCustomerNeeded' }]);
  });

  test('the access of the role must include each link, not only one', () => {
    const pagesOnly = { ...ADMIN, remoteAccess: 3 };
    expect(refused({ remote: 'row' }, pagesOnly, { rows: [], links: ['web', 'web'] })).toEqual([]);
    expect(refused({ remote: 'row' }, pagesOnly, { rows: [], links: ['web', 'ssh'] })).toMatchObject([
      { reason: 'remoteMissing' },
    ]);
  });

  test('a level that is checked first comes before a hidden row', () => {
    const policy = BY_ID.get('devices.import')!.policy as SessionPolicy;
    expect(refused(policy, READER, HIDDEN).map(({ step }) => step)).toEqual(['level', 'row']);
    expect(refused({ ...policy, levelFirst: false }, READER, HIDDEN).map(({ step }) => step)).toEqual(['row', 'level']);
  });
});
