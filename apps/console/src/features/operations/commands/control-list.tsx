import type { DeviceDetail, OfferedControl } from '@chargehand/contract';
import { COMMAND_RULES, type CommandKind } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ConnectorTag } from '../../../shared/ui/tags/connector-tag.tsx';
import '../operations.module.css';
import { CommandButton } from './command-button.tsx';
import { connectorsOf } from './command-state.ts';

/** Commands with their own user interface: parameters have a separate list. */
const ELSEWHERE: ReadonlySet<CommandKind> = new Set(['refreshParameters', 'setParameter']);

/** The controls of a device by its model that the user may use: for the device as a whole, and for each connector. */
export function ControlList({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(device.protocol);
  const runtime = useQuery(queryOf('readRuntime', { params: { id: device.id } }, { quiet: true }));
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  const connectors = connectorsOf(device, runtime.data?.connectors ?? []);
  const whole = runtime.data?.connectors.find(({ connector }) => connector === 0);
  const offered = controls.data?.items ?? [];
  if (controls.isError && !controls.data) {
    return <ErrorState error={controls.error} onRetry={() => void controls.refetch()} />;
  }
  // For users who may not send any of them, the panel would be empty.
  if (offered.length > 0 && offered.every(({ may }) => !may)) return null;
  return (
    <Panel title={t('controls')}>
      {controls.isPending ? (
        <SkeletonRows rows={4} />
      ) : (
        <div className="controls">
          <div className="control">
            <div>
              <strong>{connectorName(0)}</strong>{' '}
              {whole?.status && whole.status !== 'Unknown' && (
                <ConnectorTag status={whole.status} protocol={device.protocol} />
              )}
            </div>
            <div className="field-row">
              {plainKinds(offered, []).map(({ kind, control }) => (
                <CommandButton
                  key={kind}
                  device={device}
                  command={{ kind }}
                  control={control}
                  danger={kind === 'hardReset'}
                />
              ))}
            </div>
          </div>
          {connectors.map(({ connector, status }) => (
            <div className="control" key={connector}>
              <div>
                <strong>{connectorName(connector)}</strong>{' '}
                {status && <ConnectorTag status={status} protocol={device.protocol} />}
              </div>
              <div className="field-row">
                {plainKinds(offered, ['connector']).map(({ kind, control }) => (
                  <CommandButton key={kind} device={device} command={{ kind, connector }} control={control} />
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}

/** Inputs that are entered in the dialog and do not decide where the control is shown. */
const FILLED_IN: ReadonlySet<string> = new Set(['message']);

/** The commands that require exactly these inputs, in addition to the entered ones. */
function plainKinds(controls: readonly OfferedControl[], needs: readonly string[]) {
  const fixed = (kind: CommandKind) => COMMAND_RULES[kind].needs.filter((field) => !FILLED_IN.has(field));
  return controls
    .flatMap((control) => control.kinds.map((kind) => ({ kind, control })))
    .filter(({ kind }) => !ELSEWHERE.has(kind) && fixed(kind).join() === needs.join());
}
