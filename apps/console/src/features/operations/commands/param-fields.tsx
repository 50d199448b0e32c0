import type { OfferedControl } from '@chargehand/contract';
import { COMMAND_RULES, type CommandKind, type TriggerMessage, triggerMessagesOf } from '@chargehand/domain';
import { Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { CommandField } from './command-field.tsx';
import { TokenField } from './token-field.tsx';
import { useControlNames } from './use-control-names.ts';

/** The inputs of a control: parameters with the names of its model, and what a message needs. */
export interface Params {
  param1?: string;
  param2?: string;
  idTag?: string;
  message?: TriggerMessage;
  connector?: number;
}

/** The entered inputs; empty ones are not sent. */
export function givenParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, input]) => input !== '' && input !== undefined));
}

/** The input fields of a control. */
export function ParamFields(props: {
  kind: CommandKind;
  control: Pick<OfferedControl, 'param1' | 'param2'>;
  /** of the device; null when the command is for several devices */
  protocol?: string | null;
  /** connectors of the device, as options */
  connectors?: readonly number[];
  params: Params;
  onChange(params: Params): void;
}) {
  const { kind, control, protocol = null, connectors = [], params, onChange } = props;
  const { t } = useTranslation('operations');
  const { inWords } = useControlNames();
  const { needs, admits } = COMMAND_RULES[kind];
  return (
    <>
      {(['param1', 'param2'] as const).map((field) => {
        const name = control[field];
        if (!name || !admits.includes(field)) return null;
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
      })}
      {admits.includes('idTag') && (
        <CommandField label={t('idTag.label')}>
          {(id) => (
            <TokenField id={id} value={params.idTag ?? ''} onChange={(idTag) => onChange({ ...params, idTag })} />
          )}
        </CommandField>
      )}
      {needs.includes('message') && (
        <CommandField label={t('message.label')}>
          {(id) => (
            <Select<TriggerMessage>
              id={id}
              aria-label={t('message.label')}
              value={params.message ?? null}
              placeholder={t('message.choose')}
              onChange={(message) => onChange({ ...params, message })}
              options={triggerMessagesOf(protocol).map((message) => ({
                value: message,
                label: t(`message.${message}`),
              }))}
            />
          )}
        </CommandField>
      )}
      {admits.includes('connector') && connectors.some((connector) => connector > 0) && (
        <ConnectorField connectors={connectors} protocol={protocol} params={params} onChange={onChange} />
      )}
    </>
  );
}

/** The connector of the command, or the device as a whole. */
function ConnectorField(props: {
  connectors: readonly number[];
  protocol: string | null;
  params: Params;
  onChange(params: Params): void;
}) {
  const { connectors, protocol, params, onChange } = props;
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(protocol);
  const change = (connector: number) => {
    const { connector: _, ...rest } = params;
    onChange(connector === 0 ? rest : { ...rest, connector });
  };
  return (
    <CommandField label={t('message.of')}>
      {(id) => (
        <Select
          id={id}
          aria-label={t('message.of')}
          value={params.connector ?? 0}
          onChange={change}
          options={[0, ...connectors.filter((one) => one > 0)].map((value) => ({
            value,
            label: value === 0 ? t('message.all') : connectorName(value),
          }))}
        />
      )}
    </CommandField>
  );
}
