import type { CommonControls } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { type BatchForm, batchOf, choiceOf, EMPTY_FORM, fitsForm, valueFault } from './batch-form.ts';

const common: CommonControls = {
  ...{ devices: 2, offline: 0, sites: [{ id: 1, name: 'Quay', devices: 2 }], connectors: [1] },
  controls: [
    { kind: 'softReset', name: null, param1: null, param2: null },
    { kind: 'disableConnector', name: null, param1: null, param2: null },
    { kind: 'upgradeSoftware', name: null, param1: null, param2: null },
    { kind: 'uploadLog', name: null, param1: null, param2: null },
  ],
  parameters: [
    { key: 'Interval', name: null, type: 1, range: '10~60', unit: 's', devices: 2 },
    { key: 'Note', name: null, type: null, range: '', unit: '', devices: 2 },
  ],
};
const ids = [1, 2];

describe('the request of a batch', () => {
  it.each<[string, Partial<BatchForm>, object | null]>([
    ['nothing', {}, null],
    ['a control', { what: 'softReset' }, { kind: 'softReset', deviceIds: ids, parallel: 20 }],
    ['a control that is not available', { what: 'hardReset' }, null],
    ['a connector without its number', { what: 'disableConnector' }, null],
    [
      'a connector',
      { what: 'disableConnector', connector: 1 },
      { kind: 'disableConnector', connector: 1, deviceIds: ids, parallel: 20 },
    ],
    ['an upgrade without its file', { what: 'upgradeSoftware' }, null],
    [
      'an upgrade',
      { what: 'upgradeSoftware', firmwareId: 7, transport: 'ftp' },
      { kind: 'upgradeSoftware', firmwareId: 7, transport: 'ftp', deviceIds: ids, parallel: 20 },
    ],
    [
      'an upgrade when idle, with nothing to say of offline devices',
      {
        ...{ what: 'upgradeSoftware', firmwareId: 7, whenOffline: 'queue' },
        start: { start: 'whenIdle', startAt: null, startWithinMinutes: 60 },
      },
      {
        ...{ kind: 'upgradeSoftware', firmwareId: 7, transport: 'http', deviceIds: ids, parallel: 20 },
        ...{ start: 'whenIdle', startWithinMinutes: 60 },
      },
    ],
    [
      'an upgrade at no time',
      {
        ...{ what: 'upgradeSoftware', firmwareId: 7 },
        start: { start: 'at', startAt: null, startWithinMinutes: 60 },
      },
      null,
    ],
    [
      'a log with a period without an end',
      { what: 'uploadLog', log: { logType: 'security', span: { from: '2026-01-01T00:00:00.000Z', to: null } } },
      {
        ...{ kind: 'uploadLog', logType: 'security', from: '2026-01-01T00:00:00.000Z', transport: 'http' },
        ...{ deviceIds: ids, parallel: 20 },
      },
    ],
    ['an invalid value', { what: choiceOf('Interval'), value: '5' }, null],
    [
      'a value, with stop and queue settings',
      { what: choiceOf('Interval'), value: '30', stopAfter: 3, parallel: 5, whenOffline: 'queue', queueMinutes: 15 },
      {
        ...{ kind: 'setParameter', key: 'Interval', value: '30', deviceIds: ids, parallel: 5, stopAfter: 3 },
        ...{ whenOffline: 'queue', queueMinutes: 15 },
      },
    ],
    [
      'a value without a defined range',
      { what: choiceOf('Note'), value: '' },
      { kind: 'setParameter', key: 'Note', value: '', deviceIds: ids, parallel: 20 },
    ],
  ])('%s', (_, filled, expected) => {
    expect(batchOf({ ...EMPTY_FORM, ...filled }, common, ids)).toEqual(expected);
  });

  it('parameter commands are not offered as controls', () => {
    const kinds = ['softReset', 'disableConnector', 'upgradeSoftware', 'uploadLog', 'setParameter'] as const;
    expect(kinds.map((kind) => fitsForm(kind))).toEqual([true, true, true, true, false]);
    expect(valueFault(common.parameters[0]!, '99')?.fault).toBe('valueTooLarge');
  });
});
