import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  endAfterExecution,
  LINK_ENDS,
  LINK_STATES,
  type Link,
  type LinkEvent,
  type LinkFacts,
  linkEnd,
  NEW_LINK,
  nextLink,
} from './links.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const at = (state: Link['state']): Link => ({ state, end: state === 'ended' ? 'expired' : null });

test.each<[Link['state'], LinkEvent, Link | null]>([
  ['requested', { type: 'accepted' }, at('waiting')],
  ['waiting', { type: 'accepted' }, null],
  ['open', { type: 'accepted' }, null],
  ['requested', { type: 'connected' }, at('open')],
  ['waiting', { type: 'connected' }, at('open')],
  ['open', { type: 'connected' }, null],
  ['requested', { type: 'disconnected', lost: false }, { state: 'ended', end: 'connectFailed' }],
  ['waiting', { type: 'disconnected', lost: false }, { state: 'ended', end: 'connectFailed' }],
  ['open', { type: 'disconnected', lost: false }, { state: 'ended', end: 'closedByDevice' }],
  ['requested', { type: 'ended', end: 'destroyed' }, { state: 'ended', end: 'destroyed' }],
  ['waiting', { type: 'disconnected', lost: true }, { state: 'ended', end: 'connectFailed' }],
  ['open', { type: 'disconnected', lost: true }, { state: 'ended', end: 'lost' }],
  ['open', { type: 'ended', end: 'lost' }, { state: 'ended', end: 'lost' }],
])('a link that is %s, after %j: %j', (state, event, next) => {
  expect(nextLink(at(state), event)).toEqual(next);
});

const anEvent = fc.oneof(
  fc.constantFrom<LinkEvent>({ type: 'accepted' }, { type: 'connected' }, { type: 'disconnected', lost: false }),
  fc.constantFrom(...LINK_ENDS).map((end): LinkEvent => ({ type: 'ended', end })),
);

test('after any events, a link only moves forward, ends once, and has an end only when it has ended', () => {
  fc.assert(
    fc.property(fc.array(anEvent), (events) => {
      let link = NEW_LINK;
      for (const event of events) {
        const next = nextLink(link, event);
        if (next === null) continue;
        expect(LINK_STATES.indexOf(next.state)).toBeGreaterThan(LINK_STATES.indexOf(link.state));
        link = next;
        expect(link.end === null).toBe(link.state !== 'ended');
      }
      if (events.some(({ type }) => type === 'ended' || type === 'disconnected')) expect(link.state).toBe('ended');
    }),
  );
});

describe('the end of a link', () => {
  const waiting: LinkFacts = {
    ...{ state: 'waiting', until: after(900), ticketUntil: after(120), approvalUntil: null },
    ...{ deviceEnabled: true, permitted: true, execution: { result: 'success', reason: 'accepted' } },
  };
  test.each<[string, Partial<LinkFacts>, ReturnType<typeof linkEnd>]>([
    ['waiting for the device', {}, null],
    ['its last moment', { until: NOW }, 'expired'],
    ['the ticket expired', { ticketUntil: NOW }, 'connectFailed'],
    ['the ticket expired after the device connected', { state: 'open', ticketUntil: NOW }, null],
    ['control 7 was not sent yet', { execution: null, ticketUntil: null }, null],
    [
      'control 7 failed after the device connected',
      { state: 'open', execution: { result: 'timeout', reason: 'noAnswer' } },
      null,
    ],
    ['waiting for approval', { approvalUntil: after(1), ticketUntil: null, execution: null }, null],
    ['not approved', { approvalUntil: NOW, ticketUntil: null, execution: null }, 'notApproved'],
    ['the device was disabled', { state: 'open', deviceEnabled: false, permitted: false }, 'deviceDisabled'],
    ['the role was changed', { state: 'open', permitted: false, until: NOW }, 'accessRevoked'],
  ])('%s: %s', (_, facts, end) => {
    expect(linkEnd({ ...waiting, ...facts }, NOW)).toBe(end);
  });

  test.each([
    ['waiting', null, null],
    ['success', 'accepted', null],
    ['offline', 'deviceOffline', 'deviceOffline'],
    ['timeout', 'noAnswer', 'executionTimeout'],
    ['timeout', 'connectionLost', 'executionTimeout'],
    ['failure', 'notSupported', 'notSupported'],
    ['failure', 'unknownVendor', 'notSupported'],
    ['failure', 'unknownMessage', 'notSupported'],
    ['failure', 'deviceDisabled', 'deviceDisabled'],
    ['failure', 'notSent', 'executionTimeout'],
    ['failure', 'rejected', 'vpnError'],
    ['failure', 'callError', 'vpnError'],
    ['failure', 'badAnswer', null],
  ] as const)('control 7 with the result %s (%s): %s', (result, reason, end) => {
    expect(endAfterExecution({ result, reason })).toBe(end);
    expect(linkEnd({ ...waiting, execution: { result, reason } }, NOW)).toBe(end);
  });
});
