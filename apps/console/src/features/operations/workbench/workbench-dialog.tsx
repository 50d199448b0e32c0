import type { DeviceDetail, ExecutionRow } from '@chargehand/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { protocolName } from '../../../shared/lib/protocol-name.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { CommandField } from '../commands/command-field.tsx';
import { FAILS_AT_ONCE, PolicyFields, policyOf } from '../commands/policy-fields.tsx';
import { ExecutionProgress } from '../executions/execution-progress.tsx';
import { useExecutions } from '../executions/use-executions.ts';
import { placeOf, useFaultText } from './message-faults.ts';
import { MessageTexts } from './message-texts.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { initialValue, type Payload, readPayload, type Schema } from './schema-model.ts';
import css from './workbench.module.css';

/** A message is validated this long after the last key. */
const CHECK_AFTER_MS = 300;

/** Composes any message that a CSMS may send in the device's protocol version, sends it, and shows the response. */
export default function WorkbenchDialog({ device, onClose }: { device: DeviceDetail; onClose(): void }) {
  const { t } = useTranslation('workbench');
  const { t: common } = useTranslation();
  const [action, setAction] = useState<string | null>(null);
  const [text, setText] = useState('{}');
  const [touched, setTouched] = useState(false);
  const [policy, setPolicy] = useState(FAILS_AT_ONCE);
  const textOf = useFaultText();
  const params = { id: device.id };
  const messages = useQuery(queryOf('listMessages', { params }, { quiet: true }));
  const message = useQuery({
    ...queryOf('readMessage', { params: { ...params, action: action ?? '' } }, { quiet: true }),
    enabled: action !== null,
  });
  const schema = (message.data?.schema ?? null) as Schema | null;
  const definitions = schema?.definitions ?? {};
  const payload = readPayload(text);
  const debounced = useDebounced(text, CHECK_AFTER_MS);
  const toCheck = readPayload(debounced);
  const check = useQuery({
    ...queryOf('checkMessage', { params, body: { action: action ?? '', payload: toCheck ?? {} } }, { quiet: true }),
    enabled: action !== null && schema !== null && toCheck !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const faults = payload === null ? [] : (check.data?.faults ?? []);
  // A new message is incomplete, not invalid, so no errors are shown.
  const shownFaults = touched ? faults : [];
  const checked = debounced === text && check.isSuccess && !check.isPlaceholderData;
  const withKey = useRequestKey();
  const send = useMutation({
    mutationFn: () => {
      const body = { kind: 'sendMessage' as const, action: action ?? '', payload: payload ?? {}, ...policyOf(policy) };
      return withKey(body, (requestKey) =>
        call('sendCommand', { params, body: { ...body, requestKey } }, { quiet: true }),
      );
    },
    onSettled: () => void refresh('listExecutions'),
  });
  const { close, guard } = useGuardedClose(touched && !send.isPending && !send.isSuccess, onClose);
  const write = (next: Payload) => {
    setTouched(true);
    setText(JSON.stringify(next, null, 2));
  };
  // Selecting another message starts over, once its schema is loaded.
  useEffect(() => {
    if (!schema) return;
    setText(JSON.stringify(initialValue(schema, schema.definitions ?? {}) ?? {}, null, 2));
    setTouched(false);
  }, [schema]);

  return (
    <Dialog
      title={t('title', { name: device.name })}
      pending={send.isPending}
      onCancel={close}
      width={1_000}
      footer={
        send.data ? (
          <>
            <Button onClick={() => send.reset()}>{t('another')}</Button>
            <Button onClick={onClose}>{common('close')}</Button>
          </>
        ) : (
          <>
            <Button disabled={send.isPending} onClick={close}>
              {common('cancel')}
            </Button>
            <Button
              type="primary"
              loading={send.isPending}
              disabled={!schema || payload === null || !checked || faults.length > 0}
              onClick={() => send.mutate()}
            >
              {t('send')}
            </Button>
          </>
        )
      }
    >
      {guard}
      {send.data ? (
        <Sent deviceId={device.id} sent={send.data} />
      ) : messages.isLoadingError ? (
        <ErrorState error={messages.error} onRetry={() => void messages.refetch()} />
      ) : (
        <div className="stack">
          <p className="quiet">{t('note', { protocol: protocolName(messages.data?.protocol ?? '') })}</p>
          <CommandField label={t('message')}>
            {(id) => (
              <Select
                id={id}
                showSearch
                loading={messages.isPending}
                value={action}
                placeholder={t('choose')}
                aria-label={t('message')}
                options={messages.data?.items.map((value) => ({ value, label: value })) ?? []}
                onChange={setAction}
              />
            )}
          </CommandField>
          {action !== null &&
            (message.isError ? (
              <ErrorState error={message.error} onRetry={() => void message.refetch()} />
            ) : !schema ? (
              <SkeletonRows rows={4} />
            ) : (
              <div className={css.workbenchColumns}>
                <section aria-label={t('form')}>
                  {Object.keys(schema.properties ?? {}).some((name) => name !== 'customData') ? (
                    <SchemaFields
                      path=""
                      schema={schema}
                      definitions={definitions}
                      value={payload ?? {}}
                      faults={shownFaults}
                      onChange={(next) => write(next as Payload)}
                    />
                  ) : (
                    <p className="quiet">{t('empty')}</p>
                  )}
                </section>
                <section className="workbench-json">
                  <CommandField label={t('json')}>
                    {(id) => (
                      <Input.TextArea
                        id={id}
                        className="mono"
                        autoSize={{ minRows: 6, maxRows: 24 }}
                        spellCheck={false}
                        value={text}
                        {...(payload === null && { status: 'error' as const })}
                        onChange={({ target }) => {
                          setTouched(true);
                          setText(target.value);
                        }}
                      />
                    )}
                  </CommandField>
                  <div role="status">
                    {payload === null ? (
                      <p className="error-note">{t('notJson')}</p>
                    ) : faults.length === 0 ? (
                      checked && <p className="quiet">{t('valid')}</p>
                    ) : !touched ? (
                      <p className="quiet">{t('incomplete')}</p>
                    ) : (
                      <ul className={css.workbenchFaults}>
                        {faults.map((fault) => (
                          <li key={`${fault.path}${fault.keyword}${JSON.stringify(fault.params)}`}>
                            <code>{placeOf(fault) || '/'}</code> {textOf(fault)}
                          </li>
                        ))}
                      </ul>
                    )}
                  </div>
                </section>
              </div>
            ))}
          {schema && <PolicyFields policy={policy} onChange={setPolicy} />}
          {send.error && (
            <p className="error-note" role="alert">
              {send.error instanceof ApiProblem ? send.error.message : common('com_error_system')}
            </p>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** The progress of a message, and the exact response of the device. */
function Sent({ deviceId, sent }: { deviceId: number; sent: ExecutionRow }) {
  const executions = useExecutions(deviceId);
  const execution = executions.data?.items.find(({ id }) => id === sent.id) ?? sent;
  return (
    <div className="stack">
      <ExecutionProgress execution={execution} />
      <MessageTexts deviceId={deviceId} execution={execution} />
    </div>
  );
}

/** A value after it has not changed for a while (debounced). */
function useDebounced<T>(value: T, afterMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return debounced;
}
