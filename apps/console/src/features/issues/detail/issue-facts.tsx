import type { IssueDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { Duration, Since } from '../../../shared/ui/values/duration.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './detail.module.css';
import { useReporterNames } from './timeline/comment-audience.ts';

/** What an issue is about, since when, and how long it took. */
export function IssueFacts({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const { alarmId, alarmCode, watchers, otherWatchers, closedAt } = issue;
  const watching = [
    ...watchers.map(({ name }) => name),
    ...(otherWatchers > 0 ? [t('watch.others', { count: otherWatchers })] : []),
  ];
  return (
    <Describe
      items={[
        { key: 'device', label: t('field.device'), value: <Device issue={issue} /> },
        ...(alarmCode === null
          ? []
          : [
              {
                key: 'alarm',
                label: t('field.alarm'),
                value: <Link to={`/manage/device/alarms?state=all&alarm=${alarmId ?? ''}`}>{alarmCode}</Link>,
              },
            ]),
        {
          key: 'site',
          label: issues('site'),
          value:
            issue.siteId === null ? (
              issue.siteName
            ) : (
              <Link to={`/manage/site/detail/${issue.siteId}`}>{issue.siteName}</Link>
            ),
        },
        {
          key: 'customer',
          label: issues('customer'),
          value: <Link to={`/manage/customer/detail/${issue.customerId}`}>{issue.customerName}</Link>,
        },
        { key: 'type', label: issues('typeLabel'), value: issues(`type.${issue.type}`) },
        { key: 'occurred', label: t('field.occurredAt'), value: <ExactTime at={issue.occurredAt} /> },
        { key: 'reporter', label: t('reporter'), value: <Reporter issue={issue} /> },
        { key: 'reported', label: issues('reported'), value: <ExactTime at={issue.createdAt} /> },
        {
          key: 'response',
          label: t('times.response'),
          value: <Took ms={issue.responseMs} open={t('times.noResponse')} />,
        },
        {
          key: 'resolution',
          label: t('times.resolution'),
          value:
            issue.resolutionMs === null && closedAt === null ? (
              <span>
                {t('times.openSince')} <Since at={issue.createdAt} />
              </span>
            ) : (
              <Took ms={issue.resolutionMs} open={null} />
            ),
        },
        { key: 'watchers', label: t('watch.watchers'), value: watching.join(', ') || t('watch.nobody') },
      ]}
    />
  );
}

/** Who reported it, and how: a user, or a person without an account. */
function Reporter({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const { nameOf } = useReporterNames(issue);
  const first = issue.reports.find(({ joined }) => !joined);
  if (issue.createdBy === null && first) return `${nameOf(first.id)} (${t('origin.visitor')})`;
  const origin = issue.alarmCode === null ? t('origin.user') : t('origin.alarm');
  return issue.createdBy ? `${issue.createdBy} (${origin})` : origin;
}

function Took({ ms, open }: { ms: number | null; open: string | null }) {
  return ms === null ? open : <Duration seconds={ms / 1_000} />;
}

function Device({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const modelName = useModelName();
  const { deviceId, deviceName, deviceSn, deviceModel, softVersion } = issue;
  if (deviceName === null) return null;
  const details = [deviceSn, modelName(deviceModel), softVersion].filter(Boolean).join(' · ');
  return (
    <span className={css.device}>
      {deviceId === null ? (
        <span>
          {deviceName} <span className="quiet">{t('deviceDeleted')}</span>
        </span>
      ) : (
        <Link to={`/manage/device/detail/${deviceId}`}>{deviceName}</Link>
      )}
      {details && <span className="quiet">{details}</span>}
    </span>
  );
}
