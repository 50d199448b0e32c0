import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Permitted } from '../../../shared/session/permitted.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import type { DevicePartProps } from './device-detail-page.tsx';

/** The messages of a device that were rejected or tolerated, why and since when; nothing if there are none. */
export function MessageFaultsPanel({ device }: DevicePartProps) {
  const { t } = useTranslation('fleet');
  const { messageFaults: faults } = device;
  if (faults.length === 0) return null;
  const isRejected = faults.some(({ outcome }) => outcome === 'rejected');
  return (
    <Panel
      title={t('messageFaults.title')}
      extra={
        isRejected &&
        device.may.edit && (
          <Permitted codes={['auth_device_edit']}>
            <Link to={`/manage/device/update/${device.id}`}>{t('messageFaults.act')}</Link>
          </Permitted>
        )
      }
    >
      {isRejected && (
        <p className="warning-note" role="status">
          {t('messageFaults.hint')}
        </p>
      )}
      <Describe
        items={faults.map(({ outcome, action, reason, count, firstAt, lastAt }) => ({
          key: `${outcome} ${action}`,
          label: `${action} · ${t(`messageFaults.${outcome}`)}`,
          value: (
            <>
              {reason}
              <span className="quiet">
                {' · '}
                {count} × · <ExactTime at={firstAt} /> – <TimeAgo at={lastAt} />
              </span>
            </>
          ),
        }))}
      />
    </Panel>
  );
}
