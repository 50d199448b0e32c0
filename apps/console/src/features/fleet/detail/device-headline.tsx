import type { DeviceDetail, PermissionKey } from '@chargehand/contract';
import { DISCONNECT_REASONS, type DisconnectReason, protocolFits } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { protocolName } from '../../../shared/lib/protocol-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Headline } from '../../../shared/ui/detail-page/detail-page.tsx';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { DeviceTypeName } from '../../../shared/ui/tags/device-type.tsx';
import { StatusTag } from '../../../shared/ui/tags/status-tag.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { Since } from '../../../shared/ui/values/duration.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { DeviceActions } from '../devices/device-actions.tsx';
import { customerPath, sitePath } from '../places/place-paths.ts';
import css from './detail.module.css';

/**
 * A warning for a device whose protocol its model does not support: names, parameters and controls of the model do not
 * apply.
 */
function ProtocolWarning({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('fleet');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const { deviceModelProtocol: made, protocol } = device;
  if (made === null || protocol === null || protocolFits(made, protocol)) return null;
  return (
    <p className="warning-note" role="note">
      {t('protocolDiffers', {
        protocol: protocolName(protocol),
        model: modelName(device.deviceModelName),
        made: common(`modelProtocol.${made}`),
      })}
    </p>
  );
}

interface Props {
  device: DeviceDetail;
  commands: ReactNode;
  onAlarms(): void;
  onDeleted(): void;
}

/** The header of a device page: problems, their place and age, and actions. */
export function DeviceHeadline({ device, commands, onAlarms, onDeleted }: Props) {
  const { t } = useTranslation('fleet');
  const modelName = useModelName();
  return (
    <Headline
      title={device.name}
      status={device.status}
      emblem={
        device.deviceModelIcon !== null && (
          <Emblem of={device.deviceModelIcon} name={modelName(device.deviceModelName)} size={28} />
        )
      }
      marks={
        <>
          <StatusTag status={device.status} />
          <span className="quiet">
            {t('for')} <Since at={device.statusSince} />
          </span>
        </>
      }
      actions={
        <>
          {commands}
          <DeviceActions device={device} onDeleted={onDeleted} />
        </>
      }
    >
      <dl className={css.headlineFacts}>
        <Fact label={t('sn')}>
          <Copyable text={device.sn} />
        </Fact>
        <Fact label={t('connection')}>
          <Connection device={device} />
        </Fact>
        <Fact label={t('alarms')}>
          {device.worstAlarmLevel ? (
            <button type="button" className={`text-button ${css.headlineAlarms}`} onClick={onAlarms}>
              <AlarmLevel level={device.worstAlarmLevel} />
              {t('activeAlarms', { count: device.activeAlarms })}
            </button>
          ) : (
            <span className="quiet">{t('noAlarms')}</span>
          )}
        </Fact>
        <Fact label={t('site')} title={device.siteName}>
          <PlaceLink codes={['auth_site_detail']} to={sitePath(device.siteId)} name={device.siteName} />
        </Fact>
        <Fact label={t('customer')} title={device.customerName}>
          <PlaceLink codes={['auth_customer_detail']} to={customerPath(device.customerId)} name={device.customerName} />
        </Fact>
        <Fact label={t('model')} title={modelName(device.deviceModelName)}>
          <PlaceLink
            codes={['auth_deviceModel']}
            to={`/manage/device-model/${device.deviceModelId}`}
            name={modelName(device.deviceModelName)}
          />{' '}
          <span className="quiet">
            <DeviceTypeName type={device.type} />
          </span>
        </Fact>
      </dl>
      <ProtocolWarning device={device} />
    </Headline>
  );
}

/** A name, with a link for users who may open its page. */
function PlaceLink({ codes, to, name }: { codes: readonly PermissionKey[]; to: string; name: string }) {
  return usePermitted(codes) ? <Link to={to}>{name}</Link> : name;
}

function Fact({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The state of the connection as text: since when it is open, or when and why it ended. */
function Connection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('fleet');
  const detailOf = useConnectionDetail();
  if (device.connected) {
    return (
      <>
        <span className={css.lineUp}>{t('connected')}</span>{' '}
        <span className="quiet">
          {t('lastSeenAgo')} <TimeAgo at={device.lastSeenAt} />
        </span>
      </>
    );
  }
  if (!device.disconnectedAt) return <span className="quiet">{t('neverConnected')}</span>;
  return (
    <span title={device.disconnectDetail === null ? undefined : detailOf(device.disconnectDetail)}>
      {t('disconnected')} <TimeAgo at={device.disconnectedAt} />
      <span className="quiet">
        {' · '}
        <DisconnectReasonText reason={device.disconnectReason} />
      </span>
    </span>
  );
}

/** The reason of a disconnect as text. An unknown reason is shown unchanged. */
export function DisconnectReasonText({ reason }: { reason: string | null }) {
  const { t } = useTranslation('fleet');
  if (reason === null) return t('disconnectReason.unknown');
  const known = reason in DISCONNECT_REASONS ? (reason as DisconnectReason) : null;
  return known ? t(`disconnectReason.${known}`) : reason;
}
