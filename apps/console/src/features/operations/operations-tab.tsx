import type { DeviceDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { ConnectorTag } from '../../shared/ui/connector-tag.tsx';
import { Panel } from '../../shared/ui/page-header.tsx';
import { CommandButton } from './command-button.tsx';
import { obstacleOf } from './command-state.ts';
import { Executions } from './executions.tsx';
import { Parameters } from './parameters.tsx';
import './operations.css';

/** Everything one can ask of a device, and what became of what was asked. */
export default function OperationsTab({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(device.protocol);
  const runtime = useQuery(queryOf('readRuntime', { params: { id: device.id } }, { quiet: true }));
  const connectors = runtime.data?.connectors.filter(({ connector }) => connector > 0) ?? [];
  const whole = runtime.data?.connectors.find(({ connector }) => connector === 0);
  const obstacle = obstacleOf(device, 'softReset');
  return (
    <div className="stack">
      {obstacle && <p className="warning-note">{t(`obstacle.${obstacle}`)}</p>}
      <div className="operations-grid">
        <Panel title={t('controls')}>
          <div className="controls">
            <div className="control">
              <div>
                <strong>{connectorName(0)}</strong> {whole?.status && <ConnectorTag status={whole.status} />}
              </div>
              <div className="control-buttons">
                <CommandButton device={device} command={{ kind: 'softReset' }} />
                <CommandButton device={device} command={{ kind: 'hardReset' }} danger />
                <CommandButton device={device} command={{ kind: 'disableSystem' }} />
                <CommandButton device={device} command={{ kind: 'enableSystem' }} />
                <CommandButton device={device} command={{ kind: 'refreshConfiguration' }} />
              </div>
            </div>
            {connectors.map(({ connector, status }) => (
              <div className="control" key={connector}>
                <div>
                  <strong>{connectorName(connector)}</strong> {status && <ConnectorTag status={status} />}
                </div>
                <div className="control-buttons">
                  <CommandButton device={device} command={{ kind: 'disableConnector', connector }} />
                  <CommandButton device={device} command={{ kind: 'enableConnector', connector }} />
                </div>
              </div>
            ))}
          </div>
        </Panel>
        <Executions deviceId={device.id} protocol={device.protocol} />
      </div>
      {device.may.readParameters && <Parameters device={device} />}
    </div>
  );
}
