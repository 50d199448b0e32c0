import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../shared/api/client.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { ReportIssue } from '../../../shared/ui/issues/report-issue.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { DeviceLink, SiteLink } from '../../../shared/ui/values/place-link.tsx';
import { Acknowledged, AlarmLasted, CodeName, ConnectorName } from '../alarm-marks.tsx';
import alarmsCss from '../alarms.module.css';
import { useAlarmRights } from '../use-alarm-rights.ts';
import css from './home.module.css';
import { alarmsPath } from './paths.ts';

const AcknowledgeDialog = lazyDialog(() => import('../alarm/acknowledge-dialog.tsx'));

/** The open alarms by level, then newest first, each with its age and a button to acknowledge it. */
export function OpenAlarms({ alarms }: { alarms: UseQueryResult<Answer<'listAlarms'>> }) {
  const { t } = useTranslation('home');
  const rights = useAlarmRights();
  const [taking, setTaking] = useState<number | null>(null);
  return (
    <Panel
      title={t('openAlarms')}
      extra={rights.list && <Link to={alarmsPath({ suppressed: 'false', sort: '-level' })}>{t('allAlarms')}</Link>}
    >
      {alarms.data ? (
        alarms.data.items.length === 0 ? (
          <EmptyState text={t('nothingOpen')} />
        ) : (
          <ul className={css.homeAlarms}>
            {alarms.data.items.map((alarm) => (
              <li key={alarm.id}>
                <AlarmLevel level={alarm.level} />
                <span className={`${css.homeAlarmWhat} ${alarmsCss.twoLines}`}>
                  {rights.list ? (
                    <Link to={alarmsPath({ state: 'all', alarm: String(alarm.id) })}>
                      <CodeName of={alarm} />
                    </Link>
                  ) : (
                    <CodeName of={alarm} />
                  )}
                  <span className="quiet">
                    <DeviceLink id={alarm.deviceId} name={alarm.deviceName} />
                    {' · '}
                    <ConnectorName of={alarm} />
                    {' · '}
                    <SiteLink id={alarm.siteId} name={alarm.siteName} />
                  </span>
                </span>
                <span className={css.homeAlarmAge}>
                  <AlarmLasted alarm={alarm} />
                </span>
                <span className={css.homeAlarmTaken}>
                  <ReportIssue of={{ alarmId: alarm.id }} name={`${alarm.code} · ${alarm.deviceName}`} />
                  <Acknowledged alarm={alarm} onTake={rights.work ? () => setTaking(alarm.id) : undefined} />
                </span>
              </li>
            ))}
          </ul>
        )
      ) : alarms.isError ? (
        <ErrorState error={alarms.error} onRetry={() => void alarms.refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
      {taking !== null && <AcknowledgeDialog ids={[taking]} onClose={() => setTaking(null)} />}
    </Panel>
  );
}
