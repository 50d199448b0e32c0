import type { IncidentRow } from '@chargehand/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../../../shared/api/client.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { lazyDialog } from '../../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { ReportIssue } from '../../../../shared/ui/issues/report-issue.tsx';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../../shared/ui/tags/alarm-level.tsx';
import { ResultTag } from '../../../../shared/ui/tags/result-tag.tsx';
import { StatusGlyph } from '../../../../shared/ui/tags/status-glyph.tsx';
import { Since } from '../../../../shared/ui/values/duration.tsx';
import { DeviceLink, SiteLink } from '../../../../shared/ui/values/place-link.tsx';
import { TimeAgo } from '../../../../shared/ui/values/time-ago.tsx';
import { CodeName } from '../../alarm-marks.tsx';
import alarmsCss from '../../alarms.module.css';
import { useAlarmRights } from '../../use-alarm-rights.ts';
import { alarmsPath } from '../paths.ts';
import css from './incidents.module.css';

const AcknowledgeDialog = lazyDialog(() => import('../../alarm/acknowledge-dialog.tsx'));

interface Props {
  incidents: UseQueryResult<Answer<'listIncidents'>>;
  /** on the page of a site, which the rows then do not repeat */
  siteId?: number;
}

/** What is wrong now, the worst first: where, since when, what to do first, and who has it, with one button each. */
export function Incidents({ incidents, siteId }: Props) {
  const { t } = useTranslation('home');
  const { list } = useAlarmRights();
  const [taking, setTaking] = useState<readonly number[] | null>(null);
  const items = incidents.data?.items ?? [];
  const all = { suppressed: 'false', sort: '-level', ...(siteId !== undefined && { siteId: String(siteId) }) };
  const more = (incidents.data?.total ?? 0) - items.length;
  return (
    <Panel title={t('incidents.title')} extra={list && <Link to={alarmsPath(all)}>{t('allAlarms')}</Link>}>
      {incidents.data ? (
        items.length === 0 ? (
          <p className={`${css.none} tag-idle`}>
            <StatusGlyph glyph="check" /> {t('incidents.none')}
          </p>
        ) : (
          <ul className={css.incidents}>
            {items.map((incident) => (
              <Row key={incident.alarmId} incident={incident} ofSite={siteId !== undefined} onTake={setTaking} />
            ))}
            {more > 0 && <li className={css.more}>{t('incidents.more', { count: more })}</li>}
          </ul>
        )
      ) : incidents.isError ? (
        <ErrorState error={incidents.error} onRetry={() => void incidents.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
      {taking !== null && <AcknowledgeDialog ids={taking} onClose={() => setTaking(null)} />}
    </Panel>
  );
}

interface RowProps {
  incident: IncidentRow;
  ofSite: boolean;
  onTake(ids: readonly number[]): void;
}

function Row({ incident, ofSite, onTake }: RowProps) {
  const { t } = useTranslation('home');
  const { t: alarms } = useTranslation('alarms');
  const rights = useAlarmRights();
  const seesIssues = usePermitted(['auth_issue_detail']);
  const {
    alarmId,
    siteId,
    siteName,
    code,
    alarms: count,
    devices,
    deviceCount,
    others,
    remedy,
    unacknowledged,
  } = incident;
  const path =
    count === 1
      ? alarmsPath({ state: 'all', alarm: String(alarmId) })
      : alarmsPath({ siteId: String(siteId), suppressed: 'false', ...(others.length === 0 && { code }) });
  const [only] = devices;
  return (
    <li>
      <AlarmLevel level={incident.level} />
      <span className={`${css.what} ${alarmsCss.twoLines}`}>
        {rights.list ? (
          <Link to={path}>
            <CodeName of={incident} />
          </Link>
        ) : (
          <CodeName of={incident} />
        )}
        <span className="quiet">
          {deviceCount === 1 && only ? (
            <DeviceLink id={only.id} name={only.name} />
          ) : (
            t('incidents.devices', { count: deviceCount })
          )}
          {!ofSite && (
            <>
              {' · '}
              <SiteLink id={siteId} name={siteName} />
            </>
          )}
          {others.length > 0 && <> · {t('incidents.others', { count: others.length })}</>}
        </span>
      </span>
      <span className={css.age}>
        <Since at={incident.since} />
      </span>
      <span className={css.action}>
        {unacknowledged.length > 0 && rights.work ? (
          <Button size="small" onClick={() => onTake(unacknowledged)}>
            {alarms('acknowledge.ok')}
          </Button>
        ) : (
          incident.acknowledgedBy !== null && (
            <span className={alarmsCss.alarmTaken}>
              <StatusGlyph glyph="check" />
              {incident.acknowledgedBy}
            </span>
          )
        )}
      </span>
      {remedy && (
        <p className={css.remedy} title={remedy.text} lang={remedy.locale}>
          {remedy.text}
        </p>
      )}
      <span className={css.work}>
        {incident.issue ? (
          seesIssues && <Link to={`/manage/issue/detail/${incident.issue.id}`}>{incident.issue.title}</Link>
        ) : (
          <ReportIssue of={{ alarmId }} name={`${code} · ${only?.name ?? siteName}`} />
        )}
        {incident.tried && (
          <span className="quiet">
            {t('incidents.tried')} <TimeAgo at={incident.tried.at} /> <ResultTag execution={incident.tried} />
          </span>
        )}
      </span>
    </li>
  );
}
