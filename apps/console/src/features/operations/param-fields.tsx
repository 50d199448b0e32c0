import type { OfferedControl } from '@chargehand/contract';
import { COMMAND_RULES, type CommandKind } from '@chargehand/domain';
import { Input } from 'antd';
import { CommandField } from './command-field.tsx';
import { useControlNames } from './use-control-names.ts';

/** What goes with a control, under the names that its model gives. */
export interface Params {
  param1?: string;
  param2?: string;
}

/** What was filled in; nothing is sent of what was left empty. */
export function givenParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, text]) => text !== ''));
}

/** The parameters of a control of the maker's own, as the model names them. */
export function ParamFields(props: {
  kind: CommandKind;
  control: Pick<OfferedControl, 'param1' | 'param2'>;
  params: Params;
  onChange(params: Params): void;
}) {
  const { kind, control, params, onChange } = props;
  const { inWords } = useControlNames();
  return (['param1', 'param2'] as const).map((field) => {
    const name = control[field];
    if (!name || !COMMAND_RULES[kind].admits.includes(field)) return null;
    return (
      <CommandField key={field} label={inWords(name)}>
        {(id) => (
          <Input
            id={id}
            value={params[field] ?? ''}
            maxLength={500}
            onChange={(event) => onChange({ ...params, [field]: event.target.value })}
          />
        )}
      </CommandField>
    );
  });
}
