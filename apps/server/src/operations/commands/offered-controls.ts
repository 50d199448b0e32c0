import type { DescribedControl, OfferedControl } from '@chargehand/contract';
import {
  COMMAND_KINDS,
  COMMAND_RULES,
  type CommandKind,
  type ControlFacts,
  kindsOf,
  meets,
  unmetPrecondition,
} from '@chargehand/domain';
import type { PresentDescription } from '../../models/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CommandedDevice } from './commands.store.ts';
import { isSupportedBy, levelsFor } from './control-rules.ts';

/** The item for a control of the standard set that no model describes. */
const UNDESCRIBED = { name: null, param1: null, param2: null, precondition: null };

/**
 * The controls that a model describes, or the standard set when it is not described, with what the caller may send now.
 */
export function offeredControls(
  caller: Caller,
  device: CommandedDevice,
  description: PresentDescription,
  facts: ControlFacts,
): OfferedControl[] {
  const offered = (
    kinds: CommandKind[],
    control: DescribedControl | null,
    shown: Pick<OfferedControl, 'type' | 'name' | 'param1' | 'param2' | 'precondition'>,
  ): OfferedControl => ({
    ...shown,
    kinds,
    unmet: unmetPrecondition(shown.precondition, facts) !== null,
    may:
      !caller.readOnly && kinds.every((kind) => meets(caller.levels, levelsFor(device, kind, control ?? 'standard'))),
  });
  if (description.version > 0) {
    return description.controls.flatMap((control) => {
      const { type, name, param1, param2, precondition } = control;
      const kinds = kindsOf(control).filter((kind) => isSupportedBy(device, kind));
      return kinds.length === 0 ? [] : [offered(kinds, control, { type, name, param1, param2, precondition })];
    });
  }
  const types = [...new Set<number>(Object.values(COMMAND_KINDS))].sort((a, b) => a - b);
  return types.flatMap((type) => {
    const kinds = kindsOf({ type, reading: null }).filter(
      (kind) => COMMAND_RULES[kind].standard && isSupportedBy(device, kind),
    );
    return kinds.length === 0 ? [] : [offered(kinds, null, { type, ...UNDESCRIBED })];
  });
}
