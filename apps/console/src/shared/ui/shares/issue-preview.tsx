import { cleanContent, type DocumentContent, textOfContent } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../api/query.ts';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import css from './issue-preview.module.css';

/** Characters of a text that the preview shows. */
const SHOWN = 300;

/** What visitors of a share of an issue will read now, and which names are in it. */
export function IssuePreview({ issueId, earlier }: { issueId: number; earlier: boolean }) {
  const { t } = useTranslation('shares');
  const params = { id: issueId };
  const issue = useQuery(queryOf('readIssue', { params }, { quiet: true }));
  // With a limit, because the timeline keeps its pages under the key without one.
  const entries = useQuery(queryOf('listIssueEntries', { params, query: { limit: 100 } }, { quiet: true }));
  const failed = [issue, entries].find(({ isError }) => isError);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!issue.data || !entries.data) return <SkeletonRows rows={3} />;
  const { title, key, body, deviceName, deviceSn, siteName, customerName } = issue.data;
  const written = entries.data.items.filter(
    (one) => one.event === null && !one.internal && one.reportId === null && one.toReportId === null,
  );
  const comments = earlier ? written.toReversed() : [];
  const texts = [title, textOf(body), ...comments.map((one) => textOf(one.body))];
  const names = [deviceName, deviceSn, siteName, customerName].filter(
    (name) => name !== null && name !== '' && texts.some((text) => text.toLowerCase().includes(name.toLowerCase())),
  );
  return (
    <section className={css.preview} aria-label={t('preview.title')}>
      <strong>{t('preview.title')}</strong>
      <p>{`${key} ${title}`}</p>
      {texts[1] !== '' && <p className={css.text}>{cut(texts[1] ?? '')}</p>}
      {comments.map((one) => (
        <p key={one.id} className={css.text}>
          <span className="quiet">{one.userName}</span> {cut(textOf(one.body))}
        </p>
      ))}
      {comments.length === 0 && <p className="quiet">{t('preview.noComments')}</p>}
      {earlier && entries.data.next !== null && <p className="quiet">{t('preview.older')}</p>}
      {names.length > 0 && (
        <p className="error-note" role="note">
          {t('preview.names', { names: names.join(', ') })}
        </p>
      )}
    </section>
  );
}

function textOf(body: DocumentContent | null): string {
  return body === null ? '' : textOfContent(cleanContent(body)).trim();
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
