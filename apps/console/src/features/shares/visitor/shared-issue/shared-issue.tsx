import type { SharedIssue as Issue, OpenedShare } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { isCancelled } from '../../../../shared/api/problem.ts';
import { useLocale } from '../../../../shared/i18n/use-locale.ts';
import { Preview } from '../preview.tsx';
import { contentAddress } from '../share-address.ts';
import { ShareDetails } from '../share-details.tsx';
import shared from '../share-page.module.css';
import { useVisitorTime } from '../use-visitor-time.ts';
import { CommentForm } from './comment-form.tsx';
import styles from './shared-issue.module.css';

interface Props {
  token: string;
  content: NonNullable<OpenedShare['content']>;
}

/** A shared issue: what is wrong, how far it is, what was written for people outside, and a comment if it is allowed. */
export function SharedIssue({ token, content }: Props) {
  const { t } = useTranslation('share');
  const locale = useLocale();
  const [issue, setIssue] = useState<Issue | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the server answers in the language of the page
  useEffect(() => {
    const leave = new AbortController();
    setProblem(null);
    call('readSharedIssue', { query: { s: token } }, { quiet: true, signal: leave.signal }).then(
      setIssue,
      (error: unknown) => {
        if (!isCancelled(error)) setProblem(error instanceof Error ? error.message : String(error));
      },
    );
    return () => leave.abort();
  }, [token, locale]);

  if (!issue) {
    return problem === null ? (
      <p role="status">{t('loading')}</p>
    ) : (
      <p className={shared.problem} role="alert">
        {problem}
      </p>
    );
  }
  const { key, title, text, files, entries, older } = issue;
  return (
    <>
      <h1 className={shared.name}>
        <span className={styles.quiet}>{key}</span> {title}
      </h1>
      <Facts issue={issue} />
      {text !== '' && <p className={styles.text}>{text}</p>}
      <Files token={token} files={files} />
      <ShareDetails content={content} />
      <h2 className={styles.heading}>{t('issue.timeline')}</h2>
      {older && <p className={styles.quiet}>{t('issue.older')}</p>}
      {entries.length === 0 && <p className={styles.quiet}>{t('issue.none')}</p>}
      <ol className={styles.entries}>
        {entries.map((entry) => (
          <Entry key={entry.id} token={token} entry={entry} />
        ))}
      </ol>
      {issue.commentsLeft === 0 && <p className={styles.quiet}>{t('issue.comment.full')}</p>}
      {Boolean(issue.commentsLeft) && <CommentForm token={token} onSent={setIssue} />}
    </>
  );
}

function Facts({ issue }: { issue: Issue }) {
  const { t } = useTranslation('share');
  const time = useVisitorTime();
  const { status, type, deviceModel, occurredAt, createdAt, closedAt } = issue;
  return (
    <dl className={styles.facts}>
      <dt>{t('issue.status')}</dt>
      <dd>
        <strong>{t(`issue.statuses.${status}`)}</strong>
      </dd>
      <dt>{t('issue.type')}</dt>
      <dd>{t(`issue.types.${type}`)}</dd>
      {deviceModel !== null && (
        <>
          <dt>{t('issue.model')}</dt>
          <dd>{deviceModel}</dd>
        </>
      )}
      <dt>{t('issue.occurred')}</dt>
      <dd>{time(occurredAt)}</dd>
      <dt>{t('issue.reported')}</dt>
      <dd>{time(createdAt)}</dd>
      {closedAt !== null && (
        <>
          <dt>{t('issue.closed')}</dt>
          <dd>{time(closedAt)}</dd>
        </>
      )}
    </dl>
  );
}

function Entry({ token, entry }: { token: string; entry: Issue['entries'][number] }) {
  const { t } = useTranslation('share');
  const time = useVisitorTime();
  const { at, by, event, outside, text, files } = entry;
  if (event !== null) {
    return (
      <li className="small-text">
        {t(`issue.events.${event}`, { name: by })} · {time(at)}
      </li>
    );
  }
  return (
    <li className={styles.comment}>
      <p className={styles.quiet}>
        <strong>{by}</strong>
        {outside && ` (${t('issue.outside')})`} · {time(at)}
      </p>
      {text !== '' && <p className={styles.text}>{text}</p>}
      <Files token={token} files={files} />
    </li>
  );
}

function Files({ token, files }: { token: string; files: Issue['files'] }) {
  const { t } = useTranslation('share');
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t('issue.files')}>
      {files.map(({ id, name, size, preview }) => (
        <li key={id}>
          {preview === 'image' && <Preview token={token} kind={preview} name={name} fileId={id} />}
          <a href={contentAddress(token, id)} download={name}>
            {name}
          </a>{' '}
          <span className={styles.quiet}>{formatSize(size)}</span>
        </li>
      ))}
    </ul>
  );
}
