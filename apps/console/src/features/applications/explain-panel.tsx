import { OPEN_OPERATION_GROUPS, OPEN_OPERATION_OBJECTS, type OpenOperationName } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { queryOf } from '../../shared/api/query.ts';
import css from '../../shared/ui/access/access.module.css';
import { ControlChoice, controlNamed, OF_CONTROLS } from '../../shared/ui/access/control-choice.tsx';
import { ObjectChoice } from '../../shared/ui/access/object-choice.tsx';
import { ResultSteps } from '../../shared/ui/access/result-steps.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';

const OPERATIONS: OpenOperationName[] = Object.values(OPEN_OPERATION_GROUPS).flat();

/**
 * Explains why an application may or may not call an operation: its own settings, then the permissions of its user. The
 * question is stored in the URL.
 */
export function ExplainPanel({ applicationId }: { applicationId: number }) {
  const { t } = useTranslation('explain');
  const { t: texts } = useTranslation('applications');
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const operation = OPERATIONS.find((one) => one === search.get('operation'));
  const objectType = operation && OPEN_OPERATION_OBJECTS[operation];
  const objectId = Number(search.get('objectId')) || undefined;
  const address = search.get('address') ?? '';
  const kind = controlNamed(search.get('kind'));
  const explanation = useQuery({
    ...queryOf(
      'explainApplication',
      {
        params: { id: applicationId },
        query: {
          operation: `open.${operation}`,
          ...(address ? { callerAddress: address } : {}),
          ...(objectType && objectId ? { objectId } : {}),
          ...(operation === 'sendCommand' && kind ? { kind } : {}),
        },
      },
      { quiet: true },
    ),
    enabled: operation !== undefined,
    placeholderData: keepPreviousData,
  });
  const change = (patch: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const params = new URLSearchParams(before);
        for (const [name, value] of Object.entries(patch)) {
          if (value === undefined || value === '') params.delete(name);
          else params.set(name, value);
        }
        return params;
      },
      { replace: true },
    );
  const ofControls = kind || explanation.data?.steps.some(({ reason }) => OF_CONTROLS.has(reason));
  return (
    <Panel title={t('why.title')}>
      <div className="stack">
        <div className={css.form}>
          <div className="menu-field">
            <label htmlFor={`${id}operation`}>{t('why.operation')}</label>
            <Select<OpenOperationName | undefined>
              id={`${id}operation`}
              allowClear
              value={operation}
              placeholder={t('why.operationHint')}
              showSearch={{ optionFilterProp: 'label' }}
              options={OPERATIONS.map((one) => ({ value: one, label: texts(`operation.${one}`) }))}
              onChange={(next) => {
                const same = next && objectType === OPEN_OPERATION_OBJECTS[next];
                change({ operation: next, kind: undefined, ...(same ? {} : { objectId: undefined }) });
              }}
            />
          </div>
          <div className="menu-field">
            <label htmlFor={`${id}address`}>{t('why.address')}</label>
            <AddressInput
              key={address}
              id={`${id}address`}
              value={address}
              onChange={(next) => change({ address: next })}
            />
          </div>
          {objectType && (
            <div className="menu-field">
              <label htmlFor={`${id}object`}>{t(`objectType.${objectType}`)}</label>
              <ObjectChoice
                key={objectType}
                id={`${id}object`}
                objectType={objectType}
                value={objectId}
                onChange={(next) => change({ objectId: next?.toString() })}
              />
            </div>
          )}
          {operation === 'sendCommand' && ofControls && (
            <div className="menu-field">
              <label htmlFor={`${id}kind`}>{t('why.control')}</label>
              <ControlChoice id={`${id}kind`} value={kind} onChange={(next) => change({ kind: next })} />
            </div>
          )}
        </div>
        {operation === undefined ? (
          <p className="quiet">{t('why.operationsHint')}</p>
        ) : explanation.isError ? (
          <ErrorNote text={explanation.error.message} />
        ) : (
          explanation.data && <ResultSteps explanation={explanation.data} />
        )}
      </div>
    </Panel>
  );
}

/** An IP address, which applies when it is complete: with Enter, or when the field is left. */
function AddressInput({ id, value, onChange }: { id: string; value: string; onChange(address: string): void }) {
  const { t } = useTranslation('explain');
  const [text, setText] = useState(value);
  const apply = () => text.trim() !== value && onChange(text.trim());
  return (
    <Input
      id={id}
      allowClear
      maxLength={45}
      spellCheck={false}
      autoComplete="off"
      placeholder={t('why.addressHint')}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onPressEnter={apply}
      onBlur={apply}
    />
  );
}
