import type { DeviceDetail, ExecutionRow, NewCommand, OfferedControl } from '@chargehand/contract';
import { COMMAND_RULES } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { ExecutionProgress } from '../executions/execution-progress.tsx';
import { useExecutions } from '../executions/use-executions.ts';
import { CancelButton } from './cancel-button.tsx';
import { connectorsOf, disturbedSessions } from './command-state.ts';
import { givenParams, ParamFields, type Params } from './param-fields.tsx';
import { FAILS_AT_ONCE, PolicyFields, policyOf } from './policy-fields.tsx';
import { useControlNames } from './use-control-names.ts';

interface Props {
  device: DeviceDetail;
  command: NewCommand;
  control: OfferedControl;
  onClose(): void;
}

/**
 * Explains the effect of a command, sends it, and shows its progress until the result is known or the user closes it.
 */
export default function CommandDialog({ device, command, control, onClose }: Props) {
  const { t } = useTranslation('operations');
  const { t: common } = useTranslation();
  const connectorName = useConnectorName(device.protocol);
  const { effectOf, nameOf } = useControlNames();
  const [params, setParams] = useState<Params>({});
  const [policy, setPolicy] = useState(FAILS_AT_ONCE);
  const runtime = useQuery(queryOf('readRuntime', { params: { id: device.id } }, { quiet: true }));
  const withKey = useRequestKey();
  const send = useMutation({
    mutationFn: () => {
      const body = { ...command, ...givenParams(params), ...policyOf(policy) };
      const input = { params: { id: device.id } };
      return withKey(body, (requestKey) =>
        call('sendCommand', { ...input, body: { ...body, requestKey } }, { quiet: true }),
      );
    },
    onSettled: () => void refresh('listExecutions'),
  });
  const entered = Object.keys(givenParams(params)).length > 0;
  const { close, guard } = useGuardedClose(entered && !send.isPending && !send.isSuccess, onClose);
  const sessions = disturbedSessions(command, runtime.data?.connectors ?? []);
  const place = connectorName(command.connector ?? 0, 'inText');
  const names = { name: device.name, place, Place: connectorName(command.connector ?? 0) };
  const ready = COMMAND_RULES[command.kind].needs.every((field) => field !== 'message' || params.message !== undefined);
  const danger = command.kind === 'hardReset' || sessions.length > 0;

  return (
    <Dialog
      title={t(`kinds.${command.kind}.title`, names)}
      pending={send.isPending}
      onCancel={close}
      width={500}
      footer={
        send.data ? (
          <Button onClick={onClose} autoFocus>
            {common('close')}
          </Button>
        ) : (
          <>
            <Button disabled={send.isPending} onClick={close}>
              {common('cancel')}
            </Button>
            <Button
              type="primary"
              danger={danger}
              loading={send.isPending}
              disabled={!ready}
              onClick={() => send.mutate()}
              autoFocus
            >
              {nameOf(command.kind, control, device.protocol)}
            </Button>
          </>
        )
      }
    >
      {guard}
      <div className="dialog-text">
        {send.data ? (
          <Progress device={device} sent={send.data} />
        ) : (
          <>
            <p>{effectOf(command.kind, device.protocol, names)}</p>
            {control.unmet && control.precondition && (
              <p className="warning-note">{t(`unmet.${control.precondition}`)}</p>
            )}
            {sessions.map(({ connector }) => (
              <p className="warning-note" key={connector}>
                {t(`kinds.${command.kind === 'softReset' ? 'softReset' : 'other'}.session`, {
                  place: connectorName(connector, 'inText'),
                })}
              </p>
            ))}
            {!device.connected && <p className="warning-note">{t('policy.offlineNow')}</p>}
            <ParamFields
              kind={command.kind}
              control={control}
              protocol={device.protocol}
              connectors={connectorsOf(device, runtime.data?.connectors ?? []).map(({ connector }) => connector)}
              params={params}
              onChange={setParams}
            />
            <PolicyFields policy={policy} onChange={setPolicy} />
            {send.error && (
              <p className="error-note" role="alert">
                {send.error instanceof ApiProblem ? send.error.message : common('com_error_system')}
              </p>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Progress({ device, sent }: { device: DeviceDetail; sent: ExecutionRow }) {
  const executions = useExecutions(device.id);
  const execution = executions.data?.items.find(({ id }) => id === sent.id) ?? sent;
  return (
    <>
      <ExecutionProgress execution={execution} connected={device.connected} />
      <div>
        <CancelButton execution={execution} />
      </div>
    </>
  );
}
