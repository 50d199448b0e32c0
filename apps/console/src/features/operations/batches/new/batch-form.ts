import type { CommonControls, NewBatch } from '@chargehand/contract';
import {
  COMMAND_RULES,
  type CommandKind,
  checkValue,
  DEFAULT_BATCH_PARALLEL,
  type ItemType,
  parseRange,
  type Transport,
  transferOf,
} from '@chargehand/domain';
import { ANY_LOG, logInputsOf, type RequestedLog } from '../../../../shared/lib/requested-log.ts';
import { START_NOW, type StartForm, startInputsOf } from '../../../../shared/lib/upgrade-start.ts';
import type { Params } from '../../commands/param-fields.tsx';
import { givenParams } from '../../commands/param-fields.tsx';
import { FAILS_AT_ONCE, type Policy, policyOf } from '../../commands/policy-fields.tsx';

/** The form values of a file transfer. */
export interface FileForm {
  firmwareId: number | null;
  log: RequestedLog;
  transport: Transport;
  start: StartForm;
}

/** The form values of a batch. */
export interface BatchForm extends Policy, FileForm {
  /** a kind of command, or `parameter:<key>` */
  what: string | null;
  connector: number | null;
  value: string;
  params: Params;
  stopAfter: number | null;
  parallel: number;
}

export const EMPTY_FORM: BatchForm = {
  ...FAILS_AT_ONCE,
  ...{ what: null, connector: null, value: '', params: {}, stopAfter: null, parallel: DEFAULT_BATCH_PARALLEL },
  ...{ firmwareId: null, log: ANY_LOG, transport: 'http', start: START_NOW },
};

const PARAMETER = 'parameter:';

/** The option value of a parameter, distinct from the controls. */
export function choiceOf(key: string): string {
  return `${PARAMETER}${key}`;
}

/** The selected parameter, null for a control or nothing. */
export function parameterIn(form: BatchForm, common: CommonControls): CommonControls['parameters'][number] | null {
  return common.parameters.find(({ key }) => form.what === choiceOf(key)) ?? null;
}

/** The selected control. */
export function controlIn(form: BatchForm, common: CommonControls): CommonControls['controls'][number] | null {
  return common.controls.find(({ kind }) => form.what === kind) ?? null;
}

/** True when a command requires a connector. */
export function needsConnector(kind: CommandKind): boolean {
  return COMMAND_RULES[kind].needs.includes('connector');
}

/** True when a command is offered as a control. Parameters are selected by key. */
export function fitsForm(kind: CommandKind): boolean {
  return COMMAND_RULES[kind].needs.every((field) => field !== 'key' && field !== 'value');
}

/**
 * True for an upgrade that waits for its devices in any case, so that the policy for offline devices does not apply.
 */
export function startsLater({ what, start }: Pick<BatchForm, 'what' | 'start'>): boolean {
  return (what === 'upgradeSoftware' || what === 'updatePlcFirmware') && start.start !== 'now';
}

/** The error of a value according to the item's range; null when it is valid or the item has no range. */
export function valueFault(item: CommonControls['parameters'][number], value: string) {
  if (item.type === null) return null;
  const { range } = parseRange(item.type as ItemType, item.range);
  return range ? checkValue(range, value).problem : null;
}

/** The form values in the form of the contract; null while a value is missing. */
export function batchOf(form: BatchForm, common: CommonControls, deviceIds: number[]): NewBatch | null {
  const { stopAfter, parallel, connector, value, params } = form;
  const shared = {
    ...{ deviceIds, parallel, ...(startsLater(form) ? {} : policyOf(form)) },
    ...(stopAfter === null ? {} : { stopAfter }),
  };
  const item = parameterIn(form, common);
  if (item) {
    if (valueFault(item, value) !== null) return null;
    return { kind: 'setParameter', key: item.key, value, ...shared };
  }
  const control = controlIn(form, common);
  if (!control) return null;
  const { kind } = control;
  const { firmwareId, log, transport } = form;
  const file = transferOf(kind);
  if (file === 'log') return { kind, ...logInputsOf(log), transport, ...shared };
  if (file !== null) {
    const start = startInputsOf(form.start);
    return firmwareId === null || start === null ? null : { kind, firmwareId, transport, ...start, ...shared };
  }
  if (COMMAND_RULES[kind].needs.includes('message') && params.message === undefined) return null;
  if (!needsConnector(kind)) return { kind, ...givenParams(params), ...shared };
  return connector === null ? null : { kind, connector, ...shared };
}
