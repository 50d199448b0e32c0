import type { IssueDetail, IssueEntry } from '@chargehand/contract';
import { cleanContent, textOfContent } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { DocumentContentView } from '../../../../shared/ui/content/document-content-view.tsx';
import { Tag } from '../../../../shared/ui/tags/tag.tsx';
import { TimeAgo } from '../../../../shared/ui/values/time-ago.tsx';
import { issuePath } from '../../shared/issue-paths.ts';
import { useReporterNames } from './comment-audience.ts';
import { CommentEditor } from './comment-editor.tsx';
import { EventText } from './event-text.tsx';
import css from './timeline.module.css';
import { VersionsDialog } from './versions-dialog.tsx';

interface Props {
  issue: IssueDetail;
  entry: IssueEntry;
  /** the comment that this one answers, when it is loaded */
  quoted: IssueEntry | undefined;
  /** answers this comment; undefined: comments are not possible now */
  onQuote: ((entry: IssueEntry) => void) | undefined;
}

/** The anchor of an entry. */
function entryAnchor(id: number): string {
  return `entry-${id}`;
}

/** A comment or an event of the timeline. */
export function Entry(props: Props) {
  const { issue, entry } = props;
  const { t } = useTranslation('issue');
  if (entry.event === null) return <Comment {...props} />;
  return (
    <li className={css.event} id={entryAnchor(entry.id)}>
      <span className={css.dot} data-event={entry.event} aria-hidden="true" />
      <div className={css.eventText}>
        {entry.userName && <strong>{entry.userName}</strong>} <EventText entry={entry} />{' '}
        <span className="quiet">
          <TimeAgo at={entry.at} />
          <Origin issue={issue} entry={entry} />
        </span>
        {entry.internal && <span className="visually-hidden">{t('internal.mark')}</span>}
      </div>
    </li>
  );
}

function Comment({ issue, entry, quoted, onQuote }: Props) {
  const { t } = useTranslation('issue');
  const { t: common } = useTranslation();
  const [state, setState] = useState<'read' | 'edit' | 'versions'>('read');
  const { id, body, internal, edits, toReportId, unknownSender } = entry;
  const { nameOf, authorOf } = useReporterNames(issue);
  return (
    <li className={css.comment} data-internal={internal || undefined} id={entryAnchor(id)} tabIndex={-1}>
      <header className={css.commentHead}>
        <strong>{authorOf(entry)}</strong>
        <span className="quiet">
          <TimeAgo at={entry.at} />
          <Origin issue={issue} entry={entry} />
        </span>
        {unknownSender !== null && (
          <Tag tone="faulted" glyph="alert" title={t('unknownSender.hint')}>
            {t('unknownSender.mark')}
          </Tag>
        )}
        {toReportId !== null && (
          <Tag tone="plain" glyph="ring" title={t('to.hint')}>
            {t('to.mark', { name: nameOf(toReportId) })}
          </Tag>
        )}
        {internal && unknownSender === null && (
          <Tag tone="maintain" glyph="diamond" title={t('internal.hint')}>
            {t('internal.mark')}
          </Tag>
        )}
        {edits > 0 && (
          <button type="button" className="text-button" onClick={() => setState('versions')}>
            {t('comment.edited', { count: edits })}
          </button>
        )}
        {state !== 'edit' && onQuote && (
          <span className={css.commentActions}>
            <Button size="small" type="text" onClick={() => onQuote(entry)}>
              {t('comment.quote')}
            </Button>
            {entry.own && entry.issueId === issue.id && (
              <Button size="small" type="text" onClick={() => setState('edit')}>
                {t('comment.edit')}
              </Button>
            )}
          </span>
        )}
      </header>
      {entry.quotes !== null && <Quote issue={issue} id={entry.quotes} of={quoted} />}
      {state === 'edit' && body ? (
        <CommentEditor
          issueId={issue.id}
          label={t('comment.editLabel')}
          initial={body}
          saves={common('save')}
          onSave={async (text) => {
            await call(
              'editIssueComment',
              { params: { id: issue.id, entryId: id }, body: { body: text } },
              { quiet: true },
            );
            await refresh('listIssueEntries', 'listIssueCommentVersions');
            setState('read');
          }}
          onCancel={() => setState('read')}
        />
      ) : (
        body && <DocumentContentView content={cleanContent(body)} />
      )}
      {state === 'versions' && (
        <VersionsDialog issueId={entry.issueId} entry={entry} onClose={() => setState('read')} />
      )}
    </li>
  );
}

/** Where an entry comes from, when it is of an issue that was merged into the shown one. */
function Origin({ issue, entry }: Pick<Props, 'issue' | 'entry'>) {
  const { t } = useTranslation('issue');
  if (entry.issueId === issue.id) return null;
  const merged = issue.merged.find(({ id }) => id === entry.issueId);
  return (
    <>
      {' · '}
      <Link to={issuePath(entry.issueId)}>{t('fromMerged', { issue: merged?.key ?? '' })}</Link>
    </>
  );
}

/** The beginning of the comment that another one answers. */
export function Quote({ issue, id, of }: { issue: IssueDetail; id: number; of: IssueEntry | undefined }) {
  const { t } = useTranslation('issue');
  const { authorOf } = useReporterNames(issue);
  if (!of?.body) return <p className={css.quote}>{t('quote.notLoaded')}</p>;
  const text = textOfContent(of.body).trim().replace(/\s+/g, ' ');
  return (
    <blockquote className={css.quote}>
      <a href={`#${entryAnchor(id)}`} onClick={(event) => jump(event, id)}>
        {authorOf(of)}
      </a>{' '}
      {text === '' ? t('quote.picture') : text.length > 200 ? `${text.slice(0, 200)}…` : text}
    </blockquote>
  );
}

function jump(event: { preventDefault(): void }, id: number): void {
  event.preventDefault();
  const entry = document.getElementById(entryAnchor(id));
  entry?.scrollIntoView({ block: 'center' });
  entry?.focus({ preventScroll: true });
}
