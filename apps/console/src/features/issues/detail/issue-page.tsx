import type { IssueDetail } from '@chargehand/contract';
import { cleanContent, isEmptyContent } from '@chargehand/domain';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { useEndNames } from '../../../shared/i18n/use-end-names.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { DocumentContentView } from '../../../shared/ui/content/document-content-view.tsx';
import { DetailPage, Headline, TabbedPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { IssuePriorityMark, IssueStatusTag } from '../shared/issue-marks.tsx';
import css from './detail.module.css';
import { IssueActions } from './issue-actions.tsx';
import { IssueFacts } from './issue-facts.tsx';
import { IssueLinks, MergedNote } from './issue-links.tsx';
import { IssueProperties } from './issue-properties.tsx';
import { IssueReports } from './issue-reports.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { entriesOf } from './timeline/use-timeline.ts';

/** What other features add. */
export interface IssueParts {
  /** the button that explains messages about the issue */
  messages?: ComponentType<{ issue: IssueDetail }>;
  /** the remote links of the issue */
  links?: ComponentType<{ issue: IssueDetail }>;
}

/** An issue: what is wrong, where, since when, what can be done now, and everything that happened. */
export default function IssuePage({ parts = {} }: { parts?: IssueParts }) {
  const id = Number(useParams().id);
  // Requested with the issue. On a phone they are above its properties, which they would move.
  const entries = useInfiniteQuery(entriesOf(id));
  return (
    <DetailPage
      key={id}
      read="readIssue"
      input={{ params: { id } }}
      nameOf={({ key, title }) => `${key} ${title}`}
      waits={entries.isPending}
    >
      {(issue) => <Issue issue={issue} parts={parts} />}
    </DetailPage>
  );
}

/** Loaded with its texts when the tab is first opened. */
const EvidencePanel = lazy(() =>
  loadChunk(async () => {
    const [part] = await Promise.all([import('./evidence/evidence-panel.tsx'), loadWords(['alarms'])]);
    return part;
  }),
);

function Issue({ issue, parts }: { issue: IssueDetail; parts: IssueParts }) {
  const { t } = useTranslation('issue');
  const seesLinks = usePermitted(['auth_device_detail']);
  const headline = (
    <Headline
      title={
        <>
          <span className="quiet">{issue.key}</span> {issue.title}
        </>
      }
      status={issue.status === 'closed' ? 'disabled' : issue.priority === 2 ? 'faulted' : undefined}
      marks={
        <span className={css.marks}>
          <IssueStatusTag status={issue.status} />
          <IssuePriorityMark priority={issue.priority} />
        </span>
      }
      actions={
        <>
          {parts.messages && <parts.messages issue={issue} />}
          <IssueActions issue={issue} />
        </>
      }
    >
      {issue.mergedInto !== null && <MergedNote into={issue.mergedInto} />}
    </Headline>
  );
  return (
    <TabbedPage
      headline={headline}
      tabs={[
        { key: 'work', label: t('tab.work'), children: <Work issue={issue} /> },
        issue.hasEvidence && {
          key: 'evidence',
          label: t('tab.evidence'),
          children: (
            <Suspense fallback={<SkeletonRows rows={8} />}>
              <EvidencePanel issue={issue} />
            </Suspense>
          ),
        },
        parts.links !== undefined &&
          seesLinks &&
          issue.deviceName !== null && { key: 'links', label: t('tab.links'), children: <parts.links issue={issue} /> },
      ]}
    />
  );
}

function Work({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const [answered, setAnswered] = useState<{ reportId: number } | null>(null);
  return (
    <div className={css.columns}>
      <div className={css.main}>
        {issue.status === 'closed' && <End issue={issue} />}
        {issue.body && !isEmptyContent(issue.body) && (
          <Panel title={t('description')}>
            <DocumentContentView content={cleanContent(issue.body)} />
          </Panel>
        )}
        <Timeline issue={issue} answered={answered} />
      </div>
      <div className={css.beside}>
        <Panel title={t('work')}>
          <IssueProperties issue={issue} />
        </Panel>
        <Panel title={t('facts')}>
          <IssueFacts issue={issue} />
        </Panel>
        <IssueReports issue={issue} onAnswer={(reportId) => setAnswered({ reportId })} />
        <IssueLinks issue={issue} />
      </div>
    </div>
  );
}

/** What was wrong and what was done about it. */
function End({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const { t: issues } = useTranslation('issues');
  const { causes, remedies } = useEndNames();
  if (issue.cause === null || issue.remedy === null) return null;
  return (
    <Panel title={t('solution')}>
      <Describe
        items={[
          { key: 'cause', label: issues('end.cause'), value: causes.nameOf(issue.cause) },
          { key: 'remedy', label: issues('end.remedy'), value: remedies.nameOf(issue.remedy) },
          ...(issue.causeText ? [{ key: 'causeText', label: t('close.aboutCause'), value: issue.causeText }] : []),
          ...(issue.remedyText ? [{ key: 'remedyText', label: t('close.aboutRemedy'), value: issue.remedyText }] : []),
        ]}
      />
    </Panel>
  );
}
