import type { IssueDetail, IssueEntry } from '@chargehand/contract';
import { type DocumentContent, EMPTY_CONTENT, isEmptyContent, issueStatusAfter } from '@chargehand/domain';
import { Button, Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { useRequestKey } from '../../../../shared/hooks/use-request-key.ts';
import { useUser } from '../../../../shared/session/use-user.ts';
import { ErrorNote } from '../../../../shared/ui/states/error-note.tsx';
import { CHANGED_QUERIES } from '../../shared/changed-queries.ts';
import CloseDialog from '../../shared/close-dialog.tsx';
import { TextField } from '../../text/text-field.tsx';
import { type CommentAudience, enteredAudience, useReporterNames } from './comment-audience.ts';
import { type CommentDraft, draftPlace, readDraft, storeDraft } from './comment-draft.ts';
import { Quote } from './entry.tsx';
import css from './timeline.module.css';
import { useSending } from './use-sending.ts';

/** How long typing pauses before the draft is stored. Milliseconds. */
const STORE_MS = 300;
const NOTHING: CommentDraft = { body: EMPTY_CONTENT, to: 'internal', quotes: null, request: null };

interface Props {
  issue: IssueDetail;
  /** the comment to answer, chosen in the timeline */
  quoted: IssueEntry | null;
  /** the report whose reporter is answered, chosen beside the timeline; a new object for each choice */
  answered: { reportId: number } | null;
  /** finds an entry that is loaded */
  entryOf(id: number): IssueEntry | undefined;
  onQuoteDone(): void;
}

/**
 * The field for a new comment. What is typed is kept in this browser until it is sent, so that a reload, a crash or a
 * lost network loses nothing.
 */
export function CommentBox({ issue, quoted, answered, entryOf, onQuoteDone }: Props) {
  const { t } = useTranslation('issue');
  const { user } = useUser();
  const { nameOf } = useReporterNames(issue);
  const id = useId();
  const place = draftPlace(user.id, issue.id);
  const [draft, setDraft] = useState(() => readDraft(place) ?? NOTHING);
  /** counts the texts that were sent: the editor starts again */
  const [round, setRound] = useState(0);
  const [started, setStarted] = useState(() => !isEmptyContent(draft.body));
  const [missing, setMissing] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [closing, setClosing] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  useStored(place, draft);
  useEffect(() => {
    if (answered === null) return;
    setDraft((now) => ({ ...now, to: answered.reportId }));
    setStarted(true);
  }, [answered]);
  // A draft may answer a report that is not of this issue any more.
  const to = typeof draft.to !== 'number' || issue.reports.some((one) => one.id === draft.to) ? draft.to : 'internal';
  const quotes = quoted?.id ?? draft.quotes;
  const empty = isEmptyContent(draft.body);
  const withKey = useRequestKey({
    initial: draft.request,
    onChange(request) {
      latest.current = { ...latest.current, request };
      // At once, because the request is sent next.
      storeDraft(place, latest.current);
      setDraft((now) => ({ ...now, request }));
    },
  });
  const { sending, problem, send, reset } = useSending(async () => {
    const { body } = draft;
    const entered = { body, ...enteredAudience(to), ...(quotes !== null && { quotes }) };
    await withKey(entered, (requestKey) =>
      call('commentIssue', { params: { id: issue.id }, body: { ...entered, requestKey } }, { quiet: true }),
    );
    sent(draft);
    await refresh(...CHANGED_QUERIES);
  });

  const closingComment = { ok: t('action.commentAndClose'), note: t('close.withComment') };

  /** Clears the field, unless it was changed while its text was sent. */
  function sent({ body }: CommentDraft) {
    if (!isSameContent(latest.current.body, body)) {
      setDraft((now) => ({ ...now, quotes: null }));
      onQuoteDone();
      return;
    }
    storeDraft(place, null);
    setDraft(NOTHING);
    setStarted(false);
    setRound((now) => now + 1);
    onQuoteDone();
  }
  function enter(body: DocumentContent) {
    setDraft((now) => ({ ...now, body, quotes }));
    setMissing(false);
  }
  function withText(run: () => void) {
    if (empty) setMissing(true);
    else run();
  }

  const canClose = issue.may.edit && issueStatusAfter(issue.status, 'commentAndClose') !== null;
  return (
    <section className={css.box} data-internal={to === 'internal' || undefined} aria-label={t('comment.new')}>
      {quotes !== null && (
        <div className={css.quoted}>
          <Quote issue={issue} id={quotes} of={quoted ?? entryOf(quotes)} />
          <button
            type="button"
            className="text-button"
            onClick={() => {
              onQuoteDone();
              setDraft((now) => ({ ...now, quotes: null }));
            }}
          >
            {t('quote.remove')}
          </button>
        </div>
      )}
      {started || quotes !== null ? (
        <>
          <TextField
            key={round}
            issueId={issue.id}
            label={t('comment.new')}
            placeholder={t('comment.placeholder')}
            initial={draft.body}
            errorId={missing ? `${id}-empty` : undefined}
            focused={round > 0 || empty}
            onChange={enter}
            onUploading={setUploading}
          />
          {missing && (
            <p className="error-note" id={`${id}-empty`} role="alert">
              {t('comment.empty')}
            </p>
          )}
          <ErrorNote text={problem && t('comment.failed', { reason: problem })} />
          <div className={css.buttons}>
            <Button
              type="primary"
              loading={sending}
              disabled={uploading}
              onClick={() =>
                withText(() => {
                  reset();
                  send();
                })
              }
            >
              {typeof to === 'number' ? t('to.answer', { name: nameOf(to) }) : t('comment.send')}
            </Button>
            {canClose && (
              <Button disabled={sending || uploading} onClick={() => withText(() => setClosing(true))}>
                {t('action.commentAndClose')}
              </Button>
            )}
            <Select<CommentAudience>
              aria-label={t('to.label')}
              className={css.audience ?? ''}
              popupMatchSelectWidth={false}
              value={to}
              options={[
                { value: 'internal', label: t('to.internal') },
                ...issue.reports.map(({ id }) => ({ value: id, label: t('to.reporter', { name: nameOf(id) }) })),
                { value: 'shared', label: t('to.shared') },
              ]}
              onChange={(chosen) => setDraft((now) => ({ ...now, to: chosen }))}
            />
            {uploading && <span className="quiet">{t('comment.uploading')}</span>}
          </div>
        </>
      ) : (
        <button type="button" className={css.opener} onClick={() => setStarted(true)}>
          {t('comment.open')}
        </button>
      )}
      {closing && (
        <CloseDialog
          issue={issue}
          comment={{ ...closingComment, body: draft.body, audience: enteredAudience(to), quotes }}
          onDone={() => sent(draft)}
          onClose={() => setClosing(false)}
        />
      )}
    </section>
  );
}

const isSameContent = (one: DocumentContent, other: DocumentContent) => JSON.stringify(one) === JSON.stringify(other);

/** Stores the draft in the browser: after a pause, and at once when the page is left. */
function useStored(place: string, draft: CommentDraft): void {
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    const store = () => storeDraft(place, isEmptyContent(draft.body) ? null : draft);
    const timer = setTimeout(store, STORE_MS);
    return () => clearTimeout(timer);
  }, [place, draft]);
  useEffect(() => {
    const store = () => storeDraft(place, isEmptyContent(latest.current.body) ? null : latest.current);
    addEventListener('pagehide', store);
    return () => {
      removeEventListener('pagehide', store);
      store();
    };
  }, [place]);
}
