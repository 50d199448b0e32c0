import { COMMAND_KINDS, COMMAND_RULES, type CommandKind } from '@chargehand/domain';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';

const KINDS = (Object.keys(COMMAND_KINDS) as CommandKind[]).filter((kind) => !COMMAND_RULES[kind].internal);
/** The reasons that concern a control, or its absence. */
export const OF_CONTROLS: ReadonlySet<string> = new Set(['levelNeedsControl', 'controlNotOffered']);

/** The control with this name; undefined for other texts. */
export function controlNamed(name: string | null): CommandKind | undefined {
  return KINDS.find((kind) => kind === name);
}

/** Selects a control of devices, each of which can have a level of its own. */
export function ControlChoice(props: {
  id: string;
  value: CommandKind | undefined;
  onChange(kind: CommandKind | undefined): void;
}) {
  const { t } = useTranslation('explain');
  const { t: operations } = useTranslation('operations');
  return (
    <Select<CommandKind | undefined>
      id={props.id}
      allowClear
      value={props.value}
      placeholder={t('why.controlHint')}
      options={KINDS.map((one) => ({ value: one, label: operations(`kinds.${one}.do`) }))}
      onChange={props.onChange}
    />
  );
}
