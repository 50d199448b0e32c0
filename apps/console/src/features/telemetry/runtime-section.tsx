import type { CodeExplanation, ConnectorRuntime, DeviceDetail, RuntimeItem } from '@chargehand/contract';
import { DOCUMENT_TYPES, isOverMqtt, type ReadingSource, valueText } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { useNames } from '../../shared/i18n/use-names.ts';
import { gatewayAddress } from '../../shared/lib/gateway-address.ts';
import { Explanation, ExplanationButton } from '../../shared/ui/explanations/explanation.tsx';
import { useExplanations } from '../../shared/ui/explanations/use-explanations.ts';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ConnectorTag } from '../../shared/ui/tags/connector-tag.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { Since } from '../../shared/ui/values/duration.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { sessionEnergy } from './reading-text.ts';
import { Never, Readings } from './readings.tsx';
import css from './runtime.module.css';
import { itemKey } from './shown-values.ts';

/** The current state and latest values of a device's connectors, according to its model. */
export default function RuntimeSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  const runtime = useQuery(queryOf('readRuntime', { params: { id: device.id } }, { quiet: true }));
  const known = runtime.data?.connectors ?? [];
  const { deviceModelId } = device;
  const faultOf = useExplanations(DOCUMENT_TYPES.alarm, known.flatMap(faultCodes), deviceModelId);
  const keys = known.flatMap(({ readings }) => readings.map((reading) => itemKey(reading, runtime.data?.items)));
  const readingOf = useExplanations(DOCUMENT_TYPES.runInfo, keys, deviceModelId);
  if (runtime.isError && !runtime.data) {
    return <ErrorState error={runtime.error} onRetry={() => void runtime.refetch()} />;
  }
  if (!runtime.data) return <SkeletonRows rows={6} />;
  const { connectors, items, never } = runtime.data;
  if (connectors.length === 0) {
    const isNew = !device.connected && device.disconnectedAt === null;
    return (
      <EmptyState
        text={t(device.connected ? 'nothingReported' : 'nothingKnown')}
        action={isNew && <HowToConnect sn={device.sn} />}
      />
    );
  }
  return (
    <>
      {!device.connected && <p className={`warning-note ${css.runtimeStale}`}>{t('stale')}</p>}
      <div className="connectors" data-stale={!device.connected}>
        {connectors.map((connector) => (
          <Connector
            key={connector.connector}
            connector={connector}
            items={items}
            device={device}
            fault={faultCodes(connector)
              .map(faultOf)
              .find((one) => one !== undefined)}
            readingOf={readingOf}
          />
        ))}
      </div>
      <Never items={never.flatMap((index) => items[index] ?? [])} />
    </>
  );
}

/** The settings for a registered device that has never connected. */
function HowToConnect({ sn }: { sn: string }) {
  const { t } = useTranslation('telemetry');
  return (
    <>
      <Copyable text={gatewayAddress(sn)} />
      <p className="quiet">{t('howToConnect')}</p>
    </>
  );
}

interface ConnectorProps {
  connector: ConnectorRuntime;
  items: readonly RuntimeItem[];
  device: DeviceDetail;
  /** the short answer for its fault */
  fault: CodeExplanation | undefined;
  /** the short answer for a reading item */
  readingOf(key: string): CodeExplanation | undefined;
}

/** The codes of a connector's fault, the most precise one first. */
function faultCodes({ errorCode, vendorErrorCode }: ConnectorRuntime): string[] {
  return errorCode === 'NoError' ? [] : [...(vendorErrorCode ? [vendorErrorCode] : []), errorCode];
}

function Connector({ connector: one, items, device, fault, readingOf }: ConnectorProps) {
  const { t } = useTranslation('telemetry');
  const name = useConnectorName(device.protocol)(one.connector);
  const { nameOf } = useNames();
  const error = one.errorCode !== 'NoError';
  return (
    <section
      className="connector"
      aria-label={name}
      data-faulted={one.status === 'Faulted'}
      data-slim={one.connector === 0 && one.readings.length === 0}
    >
      <header>
        <h3>{name}</h3>
        {one.status && <ConnectorTag status={one.status} protocol={device.protocol} />}
        {one.status && (
          <span className="quiet">
            <Since at={one.since} />
          </span>
        )}
      </header>
      {(error || one.info) && (
        <p className={error ? 'error-note' : css.connectorInfo}>
          {error && (
            <>
              {one.errorName && <strong>{nameOf(one.errorName)}</strong>} <code>{one.errorCode}</code>{' '}
              {one.vendorErrorCode && (
                <>
                  {'· '}
                  <code className={css.vendorCode}>{one.vendorErrorCode}</code>{' '}
                </>
              )}
            </>
          )}
          {one.info}
        </p>
      )}
      <Explanation of={fault} type={DOCUMENT_TYPES.alarm} deviceModelId={device.deviceModelId} />
      {one.transaction && <Session connector={one} session={one.transaction} />}
      {one.readings.length > 0 && (
        <Readings
          readings={one.readings}
          items={items}
          source={sourceOf(one, device)}
          explain={(key) => (
            <ExplanationButton of={readingOf(key)} type={DOCUMENT_TYPES.runInfo} deviceModelId={device.deviceModelId} />
          )}
        />
      )}
      {one.readings.length === 0 && one.connector > 0 && !isOverMqtt(device.protocol) && (
        <p className="quiet">{t('noReadings')}</p>
      )}
    </section>
  );
}

/** A connector that has reported only readings has no status. */
function sourceOf({ status, since }: ConnectorRuntime, { connected }: DeviceDetail): ReadingSource {
  return { connected, statusSince: status === '' || status === 'Unknown' ? null : Date.parse(since) };
}

function Session(props: { connector: ConnectorRuntime; session: NonNullable<ConnectorRuntime['transaction']> }) {
  const { t } = useTranslation('telemetry');
  const { session, connector } = props;
  const energy = sessionEnergy(connector.readings, session);
  return (
    <dl className="session">
      <div>
        <dt>{t('session.lasted')}</dt>
        <dd className={css.sessionFigure}>
          <Since at={session.startedAt} />
        </dd>
      </div>
      <div>
        <dt>{t('session.energy')}</dt>
        <dd className={css.sessionFigure}>
          {energy === null ? <Dash /> : t('kWh', { value: valueText(energy / 1_000) })}
        </dd>
      </div>
      <div>
        <dt>{t('session.started')}</dt>
        <dd>
          <ExactTime at={session.startedAt} />
        </dd>
      </div>
      <div>
        <dt>{t('session.idTag')}</dt>
        <dd>
          <Copyable text={session.idTag} />
        </dd>
      </div>
    </dl>
  );
}
