import { expect, test } from 'vitest';
import type { Command } from './commands.ts';
import { type DevicePlan, isBusyFor, type PlanFacts, planDevice, plannedRefusal } from './plan.ts';

const FREE: PlanFacts = {
  ...{ offer: 'offered', enabled: true, connected: true, hasConnector: true, waits: false },
  ...{ reported: false, parameter: null, described: null, precondition: null, session: false, maintenance: false },
  ...{ transfer: null, waiting: [], ahead: 0 },
};
const RESET: Command = { kind: 'softReset', connector: 0, params: {} };
const SET: Command = { kind: 'setParameter', connector: 0, params: { key: 'HeartbeatInterval', value: '60' } };
const UPGRADE: Command = { kind: 'upgradeSoftware', connector: 0, params: { firmwareId: 1 } };
const value = (text: string | null, more: object = {}) => ({
  reported: true,
  parameter: { value: text, readonly: false, inDoubt: false, ...more },
});

test.each<[string, Command, Partial<PlanFacts>, DevicePlan['effect'], DevicePlan['reason']]>([
  ['a free device', RESET, {}, 'changes', null],
  ['an offline device', RESET, { connected: false }, 'offline', 'deviceOffline'],
  ['an offline device that is waited for', RESET, { connected: false, waits: true }, 'changes', null],
  ['a model without the control', RESET, { offer: 'controlNotOffered' }, 'cannot', 'controlNotOffered'],
  ['a level too low', SET, { offer: 'noPermission', enabled: false }, 'cannot', 'noPermission'],
  ['a parameter that is set one by one', SET, { offer: 'batchIncapable' }, 'cannot', 'batchIncapable'],
  ['a disabled device', RESET, { enabled: false, connected: false }, 'cannot', 'deviceDisabled'],
  ['a missing connector', { ...RESET, connector: 3 }, { hasConnector: false }, 'cannot', 'connectorUnknown'],
  ['another value', SET, value('300'), 'changes', null],
  ['the same value', SET, value('60'), 'has', 'sameValue'],
  ['the same value, offline', SET, { ...value('60'), connected: false }, 'has', 'sameValue'],
  ['the same value, but in doubt', SET, value('60', { inDoubt: true }), 'changes', null],
  ['a value that was never reported', SET, value(null), 'changes', null],
  ['a read-only parameter', SET, value('300', { readonly: true }), 'cannot', 'parameterReadonly'],
  ['a parameter that it does not have', SET, { reported: true }, 'cannot', 'parameterUnknown'],
  ['no report yet', SET, {}, 'changes', null],
  ['a vehicle', UPGRADE, { precondition: 'noSession', session: true }, 'cannot', 'sessionInProgress'],
  ['a vehicle that is waited for', UPGRADE, { precondition: null, session: true, waits: true }, 'changes', null],
  ['no maintenance', RESET, { precondition: 'maintenance' }, 'cannot', 'maintenanceNeeded'],
  ['the version of the file', UPGRADE, { transfer: 'firmwareRunning' }, 'has', 'firmwareRunning'],
  ['another transfer', UPGRADE, { transfer: 'deviceBusy' }, 'cannot', 'deviceBusy'],
  ['another restart', RESET, { waiting: [{ ...RESET, kind: 'hardReset' }] }, 'cannot', 'deviceBusy'],
  ['other commands', RESET, { waiting: [SET, UPGRADE] }, 'changes', null],
  ['twenty commands', RESET, { waiting: Array(20).fill(SET) as Command[] }, 'cannot', 'deviceBusy'],
  ['twenty commands of this request', RESET, { waiting: Array(20).fill(SET) as Command[], ahead: 20 }, 'changes', null],
])('%s', (_, command, facts, effect, reason) => {
  expect(planDevice(command, { ...FREE, ...facts })).toEqual({ effect, reason });
});

test('only a device that is offline is queued without being changed', () => {
  expect(plannedRefusal({ effect: 'offline', reason: 'deviceOffline' })).toBe(null);
  expect(plannedRefusal({ effect: 'has', reason: 'sameValue' })).toBe('sameValue');
  expect(isBusyFor(RESET, [])).toBe(false);
});
