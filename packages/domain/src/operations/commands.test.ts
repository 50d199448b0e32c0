import { expect, test } from 'vitest';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type Command,
  type CommandInputs,
  type CommandKind,
  type Confirmation,
  confirmationAfter,
  conflicts,
  triggerMessagesOf,
  unfitField,
} from './commands.ts';

test('every kind has a control type and a rule', () => {
  expect(Object.keys(COMMAND_RULES)).toEqual(Object.keys(COMMAND_KINDS));
});

test.each<[CommandKind, CommandInputs & { connector?: number }, string | null]>([
  ['softReset', {}, null],
  ['softReset', { connector: 1 }, 'connector unknown'],
  ['disableSystem', { connector: 1 }, 'connector unknown'],
  ['disableConnector', {}, 'connector missing'],
  ['disableConnector', { connector: 2 }, null],
  ['enableConnector', { connector: 2, value: '1' }, 'value unknown'],
  ['refreshConfiguration', { key: 'HeartbeatInterval' }, 'key unknown'],
  ['startVpn', { param1: '22' }, 'param1 unknown'],
  ['restartCcu', { param1: '22', param2: 'ops' }, null],
  ['startVpn', { key: 'A' }, 'key unknown'],
  ['softReset', { param1: 'now' }, 'param1 unknown'],
  ['refreshParameters', {}, null],
  ['refreshParameters', { key: 'HeartbeatInterval' }, null],
  ['upgradeSoftware', {}, 'firmwareId missing'],
  ['upgradeSoftware', { firmwareId: 1, transport: 'ftp' }, null],
  ['upgradeSoftware', { firmwareId: 1, logType: 'diagnostics' }, 'logType unknown'],
  ['updatePlcFirmware', { firmwareId: 1 }, null],
  ['uploadLog', {}, 'logType missing'],
  ['uploadLog', { logType: 'security', from: '2026-01-01T00:00:00Z' }, null],
  ['softReset', { transport: 'http' }, 'transport unknown'],
  ['setParameter', {}, 'key missing'],
  ['setParameter', { key: 'HeartbeatInterval' }, 'value missing'],
  ['setParameter', { key: 'HeartbeatInterval', value: '' }, null],
  ['remoteStart', {}, 'connector missing'],
  ['remoteStart', { connector: 1, idTag: 'CARD' }, null],
  ['remoteStop', { connector: 1, idTag: 'CARD' }, 'idTag unknown'],
  ['triggerMessage', { connector: 1 }, 'message missing'],
  ['triggerMessage', { connector: 1, message: 'Heartbeat' }, null],
  ['clearCache', { connector: 1 }, 'connector unknown'],
  ['enableConnector', {}, 'connector missing'],
  ['uploadLog', { logType: 'security', to: '2026-01-01T00:00:00Z', transport: 'ftp' }, null],
  ['updatePlcFirmware', { firmwareId: 1, transport: 'http' }, null],
  ['updatePlcFirmware', {}, 'firmwareId missing'],
  ['remoteStop', {}, 'connector missing'],
  ['unlockConnector', {}, 'connector missing'],
  ['unlockConnector', { connector: 1 }, null],
  ['sendMessage', {}, 'action missing'],
  ['sendMessage', { action: 'Reset' }, 'payload missing'],
  ['sendMessage', { action: 'Reset', payload: {} }, null],
  ['restartCcu', { param1: 'now' }, null],
  ['changePassword', { value: 'x' }, 'value unknown'],
])('%s with %j', (kind, inputs, expected) => {
  const unfit = unfitField(kind, inputs);
  expect(unfit && `${unfit.field} ${unfit.fault}`).toBe(expected);
});

const command = (kind: CommandKind, connector = 0, params: Command['params'] = {}): Command => ({
  kind,
  connector,
  params,
});

test.each<[string, Command, Command, boolean]>([
  ['the same restart twice', command('softReset'), command('softReset'), true],
  ['two kinds of restart', command('softReset'), command('hardReset'), true],
  ['disable and enable', command('disableSystem'), command('enableSystem'), false],
  ['one connector twice', command('disableConnector', 1), command('disableConnector', 1), true],
  ['two connectors', command('disableConnector', 1), command('disableConnector', 2), false],
  [
    'two values for one parameter, in any spelling',
    command('setParameter', 0, { key: 'HeartbeatInterval', value: '60' }),
    command('setParameter', 0, { key: 'heartbeatinterval', value: '90' }),
    true,
  ],
  [
    'two parameters',
    command('setParameter', 0, { key: 'HeartbeatInterval', value: '60' }),
    command('setParameter', 0, { key: 'ConnectionTimeOut', value: '60' }),
    false,
  ],
  [
    'two messages of one kind with different payloads',
    command('sendMessage', 0, { action: 'Reset', payload: { type: 'Hard' } }),
    command('sendMessage', 0, { action: 'Reset', payload: { type: 'Soft' } }),
    false,
  ],
  [
    'two messages with the same payload',
    command('sendMessage', 0, { action: 'Reset', payload: {} }),
    command('sendMessage', 0, { action: 'ClearCache', payload: {} }),
    false,
  ],
  [
    'the same message twice',
    command('sendMessage', 0, { action: 'Reset', payload: {} }),
    command('sendMessage', 0, { action: 'Reset', payload: {} }),
    true,
  ],
  ['two logs', command('uploadLog', 0, { key: 'a' }), command('uploadLog', 0, { key: 'b' }), true],
  ['two firmwares', command('upgradeSoftware'), command('updatePlcFirmware'), true],
  ['a firmware update and a log upload', command('upgradeSoftware'), command('uploadLog'), false],
  [
    'two messages',
    command('triggerMessage', 0, { message: 'Heartbeat' }),
    command('triggerMessage', 0, { message: 'BootNotification' }),
    false,
  ],
  ['two starts on one connector', command('remoteStart', 1, { idTag: 'A' }), command('remoteStart', 1), true],
  ['restart and refresh', command('softReset'), command('refreshConfiguration'), false],
])('conflict: %s', (_, waiting, wanted, expected) => {
  expect(conflicts(waiting, wanted)).toBe(expected);
});

test.each([
  ['ocpp1.6', 'DiagnosticsStatusNotification', 'TransactionEvent'],
  ['ocpp2.0.1', 'TransactionEvent', 'DiagnosticsStatusNotification'],
])('a device that uses %s can be sent %s and not %s', (protocol, own, foreign) => {
  expect(triggerMessagesOf(protocol)).toContain(own);
  expect(triggerMessagesOf(protocol)).not.toContain(foreign);
  expect(triggerMessagesOf(null)).toEqual(expect.arrayContaining([own, foreign]));
});

type CommandRule = (typeof COMMAND_RULES)[CommandKind];

const kindsWhere = (rule: (one: CommandRule) => boolean) =>
  Object.entries(COMMAND_RULES).flatMap(([kind, one]) => (rule(one) ? [kind] : []));

test.each<[string, (rule: CommandRule) => boolean, CommandKind[]]>([
  [
    'are for one device at a time',
    ({ batch }) => !batch,
    [
      'startVpn',
      'stopVpn',
      'remoteStart',
      'remoteStop',
      'unlockConnector',
      'sendMessage',
      'changePassword',
      'updateTokenList',
    ],
  ],
  [
    'exist in OCPP only',
    ({ ocpp }) => ocpp,
    [
      ...(['remoteStart', 'remoteStop', 'unlockConnector', 'clearCache', 'triggerMessage'] as const),
      ...(['sendMessage', 'changePassword', 'updateTokenList'] as const),
    ],
  ],
  [
    'are only sent by their module',
    ({ internal }) => internal,
    ['startVpn', 'stopVpn', 'changePassword', 'updateTokenList'],
  ],
  [
    'are available when the model defines them',
    ({ standard }) => !standard,
    ['startVpn', 'stopVpn', 'restartCcu', 'updatePlcFirmware', 'changePassword', 'updateTokenList'],
  ],
  [
    'have a response timeout of a minute',
    ({ answerMs }) => answerMs === 60_000,
    [
      ...(['softReset', 'hardReset', 'upgradeSoftware', 'uploadLog', 'restartCcu'] as const),
      ...([
        'refreshConfiguration',
        'refreshParameters',
        'updatePlcFirmware',
        'sendMessage',
        'updateTokenList',
      ] as const),
    ],
  ],
  ['read parameters', ({ right }) => right === 'readParameters', ['refreshConfiguration', 'refreshParameters']],
  ['write parameters', ({ right }) => right === 'writeParameters', ['setParameter', 'changePassword']],
  ['require every right', ({ right }) => right === 'everything', ['sendMessage']],
  [
    'are confirmed later by a report',
    ({ confirmation }) => confirmation !== null,
    [
      ...(['remoteStart', 'remoteStop', 'triggerMessage', 'softReset', 'hardReset', 'restartCcu'] as const),
      ...(['disableSystem', 'enableSystem', 'disableConnector', 'enableConnector', 'startVpn'] as const),
    ],
  ],
])('the commands that %s', (_, rule, kinds) => {
  expect(kindsWhere(rule).sort()).toEqual(kinds.sort());
});

const DAY_MS = 86_400_000;

test.each<[CommandKind, string, Confirmation | null, number]>([
  ['remoteStart', 'accepted', 'transactionStarted', 180_000],
  ['remoteStop', 'accepted', 'transactionEnded', 60_000],
  ['triggerMessage', 'accepted', 'messageReceived', 60_000],
  ['softReset', 'accepted', 'restarted', 600_000],
  ['softReset', 'scheduled', 'restarted', DAY_MS],
  // A response after the restart proves the restart.
  ['hardReset', 'restarted', null, 0],
  ['disableConnector', 'accepted', null, 0],
  ['disableConnector', 'scheduled', 'availabilityChanged', DAY_MS],
  ['enableSystem', 'scheduled', 'availabilityChanged', DAY_MS],
  ['setParameter', 'accepted', null, 0],
  ['setParameter', 'scheduled', null, 0],
])('%s with the response %s waits for %s for %d ms', (kind, answer, by, withinMs) => {
  expect(confirmationAfter(kind, answer)).toEqual(by === null ? null : { by, withinMs });
});
