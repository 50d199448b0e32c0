import { formatSpan } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { protocolName } from '../../../shared/lib/protocol-name.ts';
import { Permitted } from '../../../shared/session/permitted.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { DeviceTypeName } from '../../../shared/ui/tags/device-type.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { Duration } from '../../../shared/ui/values/duration.tsx';
import { ProtocolWord } from '../../../shared/ui/values/protocol-word.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { CertificatesPanel } from './certificates-panel.tsx';
import type { DevicePartProps } from './device-detail-page.tsx';
import { DisconnectReasonText } from './device-headline.tsx';
import { MessageFaultsPanel } from './message-faults-panel.tsx';

/** A larger difference leads to wrong times of readings and sessions. OCPP requires UTC but defines no limit. */
const SKEW_WARNING_MS = 5_000;

/** Whether a password is required to connect, and the state of a password change. */
function PasswordState({ device }: DevicePartProps) {
  const { t } = useTranslation('fleet');
  const reasonOf = useReason();
  const { hasGatewayPassword, passwordChange } = device;
  const present = t(hasGatewayPassword ? 'passwordSet' : 'passwordNone');
  if (!passwordChange) return present;
  return (
    <>
      {present}
      <span className={passwordChange.state === 'failed' ? 'warning-note' : 'quiet'} role="status">
        {' · '}
        {t(`passwordChange.${passwordChange.state}`)}
        {passwordChange.state === 'failed' && ` ${reasonOf(passwordChange)}`}
      </span>
    </>
  );
}

/** The record of a device, its connection, and what it reported when it booted. */
export default function ConfigSection({ device }: DevicePartProps) {
  const { t } = useTranslation('fleet');
  const detailOf = useConnectionDetail();
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const skew = device.clockSkewMs;
  const skewed = skew !== null && Math.abs(skew) > SKEW_WARNING_MS;
  return (
    <div className="stack">
      {skewed && (
        <p className="warning-note" role="status">
          {t(skew > 0 ? 'clockAhead' : 'clockBehind', { seconds: Math.round(Math.abs(skew) / 1_000) })}
        </p>
      )}
      <MessageFaultsPanel device={device} />
      <Panel
        title={t('config.entered')}
        extra={
          device.may.edit && (
            <Permitted codes={['auth_device_edit']}>
              <Link to={`/manage/device/update/${device.id}`}>{t('action.edit')}</Link>
            </Permitted>
          )
        }
      >
        <Describe
          items={[
            { key: 'name', label: t('name'), value: device.name },
            { key: 'sn', label: t('sn'), value: <Copyable text={device.sn} /> },
            { key: 'customer', label: t('customer'), value: device.customerName },
            { key: 'site', label: t('site'), value: device.siteName },
            { key: 'model', label: t('model'), value: modelName(device.deviceModelName) },
            { key: 'type', label: t('type'), value: <DeviceTypeName type={device.type} /> },
            { key: 'arrival', label: t('arrivalDate'), value: device.arrivalDate },
            { key: 'install', label: t('installDate'), value: device.installDate },
            {
              key: 'cycle',
              label: t('maintenanceCycle'),
              value:
                device.maintenanceCycleDays === null
                  ? null
                  : common('duration.days', { count: device.maintenanceCycleDays }),
            },
            {
              key: 'unmaintained',
              label: t('unmaintained'),
              value: <Unmaintained {...device} />,
            },
            { key: 'runtime', label: t('totalRuntime'), value: <Duration seconds={device.totalRuntimeSeconds} /> },
            { key: 'created', label: t('registered'), value: <ExactTime at={device.createdAt} /> },
            {
              key: 'password',
              label: t('gatewayPassword'),
              value: <PasswordState device={device} />,
            },
          ]}
        />
      </Panel>
      <Panel title={t('config.connection')}>
        <Describe
          items={[
            { key: 'protocol', label: t('protocol'), value: device.protocol && protocolName(device.protocol) },
            {
              key: 'address',
              label: t('remoteAddress'),
              value: device.remoteAddress && <Copyable text={device.remoteAddress} />,
            },
            { key: 'connectedAt', label: t('connectedAt'), value: <ExactTime at={device.connectedAt} /> },
            { key: 'seen', label: t('lastSeen'), value: <TimeAgo at={device.lastSeenAt} /> },
            { key: 'disconnectedAt', label: t('disconnectedAt'), value: <ExactTime at={device.disconnectedAt} /> },
            {
              key: 'reason',
              label: t('reason'),
              value: device.disconnectedAt && (
                <>
                  <DisconnectReasonText reason={device.disconnectReason} />
                  {device.disconnectDetail && (
                    <span className="quiet">{` · ${detailOf(device.disconnectDetail)}`}</span>
                  )}
                </>
              ),
            },
            {
              key: 'refused',
              label: t('attempt.last'),
              value: device.lastRefusal && (
                <>
                  <TimeAgo at={device.lastRefusal.at} />
                  <span className="quiet">
                    {' · '}
                    {t('attempt.lastText', {
                      reason: t(`attempt.reasons.${device.lastRefusal.reason}`),
                      address: device.lastRefusal.remoteAddress,
                      count: device.lastRefusal.attempts,
                    })}
                  </span>
                </>
              ),
            },
            {
              key: 'skew',
              label: t('clockSkew'),
              value: skew === null ? null : <span data-warn={skewed}>{formatSpan(skew)}</span>,
            },
          ]}
        />
      </Panel>
      <Panel title={t('config.boot')}>
        <div className="long-names">
          <Describe
            items={[
              { key: 'bootedAt', label: t('bootedAt'), value: <ExactTime at={device.bootedAt} /> },
              {
                key: 'version',
                label: t('version'),
                value: device.softVersion && <Copyable text={device.softVersion} />,
              },
              {
                key: 'firmware',
                label: t('firmwareStatus'),
                value: device.firmwareStatus && <ProtocolWord kind="firmwareStatus" value={device.firmwareStatus} />,
              },
              {
                key: 'diagnostics',
                label: t('diagnosticsStatus'),
                value: device.diagnosticsStatus && (
                  <ProtocolWord kind="uploadStatus" value={device.diagnosticsStatus} />
                ),
              },
              ...Object.entries(device.boot ?? {}).map(([key, value]) => ({
                key: `boot.${key}`,
                label: key,
                value: <Copyable text={String(value)} />,
              })),
            ]}
          />
        </div>
      </Panel>
      <CertificatesPanel deviceId={device.id} />
    </div>
  );
}

function Unmaintained(props: { unmaintainedDays: number; maintenanceCycleDays: number | null }) {
  const { t } = useTranslation();
  const { unmaintainedDays: days, maintenanceCycleDays: cycle } = props;
  const due = cycle !== null && days >= cycle;
  return <span data-warn={due}>{t('duration.days', { count: days })}</span>;
}
