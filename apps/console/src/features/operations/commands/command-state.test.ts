import type { ExecutionRow } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { controlObstacleOf, disturbedSessions, obstacleOf, waitingKeys } from './command-state.ts';

const may = { edit: true, control: true, readParameters: true, setParameters: true, download: true };
const device = { enabled: true, connected: true, may };

describe('the reason why a command is not possible', () => {
  it.each([
    { given: device, kind: 'softReset', expected: null },
    { given: { ...device, connected: false }, kind: 'softReset', expected: 'offline' },
    { given: { ...device, enabled: false, connected: false }, kind: 'softReset', expected: 'disabled' },
    {
      given: { ...device, enabled: false, may: { ...may, control: false } },
      kind: 'softReset',
      expected: 'noPermission',
    },
    { given: { ...device, may: { ...may, control: false } }, kind: 'refreshConfiguration', expected: null },
    {
      given: { ...device, may: { ...may, readParameters: false } },
      kind: 'refreshParameters',
      expected: 'noPermission',
    },
    { given: { ...device, may: { ...may, setParameters: false } }, kind: 'setParameter', expected: 'noPermission' },
  ] as const)('$kind: $expected', ({ given, kind, expected }) => {
    expect(obstacleOf(given, kind)).toBe(expected);
  });
});

describe('the reason why a control of a device is not possible', () => {
  it.each([
    [{ enabled: true }, { may: true }, null],
    [{ enabled: true }, { may: false }, 'noPermission'],
    [{ enabled: false }, { may: true }, 'disabled'],
  ] as const)('%o, %o: %s', (given, control, expected) => {
    expect(controlObstacleOf(given, control)).toBe(expected);
  });
});

describe('the sessions that a command affects', () => {
  const connectors = [
    { connector: 0, transaction: null },
    { connector: 1, transaction: { id: 7 } },
    { connector: 2, transaction: { id: 8 } },
  ];
  it.each([
    [{ kind: 'softReset' }, [1, 2]],
    [{ kind: 'disableSystem' }, [1, 2]],
    [{ kind: 'disableConnector', connector: 2 }, [2]],
    [{ kind: 'enableConnector', connector: 2 }, []],
    [{ kind: 'refreshConfiguration' }, []],
  ] as const)('%o', (command, expected) => {
    expect(disturbedSessions(command, connectors).map(({ connector }) => connector)).toEqual(expected);
  });
});

describe('executions', () => {
  it('return the parameters that wait for the device', () => {
    const one = (kind: string, params: object, state: string) => ({ kind, params, state }) as ExecutionRow;
    const waiting = waitingKeys([
      one('setParameter', { key: 'HeartbeatInterval', value: '60' }, 'sent'),
      one('refreshParameters', { key: 'LightIntensity' }, 'ended'),
      one('softReset', {}, 'queued'),
    ]);
    expect([...waiting.keys]).toEqual(['HeartbeatInterval']);
    expect(waiting.all).toBe(false);
    expect(waitingKeys([one('refreshConfiguration', {}, 'queued')]).all).toBe(true);
  });
});
