import { describe, expect, test } from 'vitest';
import { endAfterExecution, type LinkFacts, linkEnd } from './links.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

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
