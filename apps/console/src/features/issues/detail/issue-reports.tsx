import type { IssueDetail } from '@chargehand/contract';
import { issueStatusAfter } from '@chargehand/domain';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import css from './detail.module.css';
import { useReporterNames } from './timeline/comment-audience.ts';

type Report = IssueDetail['reports'][number];

/** What people without an account reported, and how to reach them; nothing when nobody did. */
export function IssueReports({ issue, onAnswer }: { issue: IssueDetail; onAnswer(reportId: number): void }) {
  const { t } = useTranslation('issue');
  const { nameOf } = useReporterNames(issue);
  const canComment = issue.mergedInto === null && issueStatusAfter(issue.status, 'comment') !== null;
  if (issue.reports.length === 0) return null;
  return (
    <Panel title={t('report.title')}>
      <ul className={css.reports}>
        {issue.reports.map((report) => (
          <li key={report.id}>
            <strong>{nameOf(report.id)}</strong>
            <span>
              <TimeAgo at={report.at} />
              {report.joined && <span className="quiet"> · {t('report.joined')}</span>}
            </span>
            <Place report={report} />
            <Contact report={report} />
            <Files report={report} />
            {canComment && (
              <Button size="small" onClick={() => onAnswer(report.id)}>
                {t('report.answer')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What the reporter entered about the place; empty when it came from a QR code. */
function Place({ report: { sn, place, connector } }: { report: Report }) {
  const { t } = useTranslation('issue');
  const connectorName = useConnectorName(null);
  const parts = [
    sn && t('report.sn', { sn }),
    place && t('report.place', { place }),
    connector !== null && connectorName(connector, 'inText'),
  ].filter((part) => part !== false && part !== '');
  return parts.length > 0 && <span>{parts.join(' · ')}</span>;
}

function Contact({ report: { contact, hasContact, notify } }: { report: Report }) {
  const { t } = useTranslation('issue');
  if (contact === null) {
    return <span className="quiet">{t(hasContact ? 'report.contactHidden' : 'report.noContact')}</span>;
  }
  return (
    <span>
      <span className="quiet">{t(notify ? 'report.notified' : 'report.notNotified')}</span>
    </span>
  );
}

/** How many of the announced photos and videos have arrived. */
function Files({ report: { files, announcedFiles } }: { report: Report }) {
  const { t } = useTranslation('issue');
  if (announcedFiles === 0) return null;
  return (
    <span className="quiet">
      {files < announcedFiles
        ? t('report.filesMissing', { files, total: announcedFiles })
        : t('report.files', { count: files })}
    </span>
  );
}
