import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { isSent, isStored, keepReport, type QueuedReport } from './queue.ts';
import styles from './report.module.css';
import { type Progress, type Solve, sendReport } from './sender.ts';

interface Props {
  report: QueuedReport;
  solve: Solve;
  /** Everything has arrived. */
  onSent(): void;
  /** The reporter wants to write another one. */
  onNew(): void;
  /** The reporter wants to change a report that was refused. */
  onChange(report: QueuedReport): void;
  onDiscard(key: string): void;
}

/** Sends a report and says truthfully how far it is. */
export function Sending({ report, solve, onSent, onNew, onChange: onChangeReport, onDiscard }: Props) {
  const { t } = useTranslation('report');
  const [now, setNow] = useState(report);
  const [at, setAt] = useState<Progress>({ sent: 0, total: 0, waiting: !navigator.onLine });
  const [round, setRound] = useState(0);
  const sending = useRef(solve);
  const sent = useRef(onSent);
  sent.current = onSent;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round sends what is left
  useEffect(() => {
    const leave = new AbortController();
    const onChange = (changed: QueuedReport, progress: Progress) => {
      setNow(changed);
      setAt(progress);
    };
    keepReport(now)
      .then(() => sendReport(now, { solve: sending.current, signal: leave.signal, onChange }))
      .then((last) => {
        setNow(last);
        if (isSent(last)) sent.current();
      })
      .catch((error: unknown) => {
        if (!leave.signal.aborted) console.error('The report could not be sent', error);
      });
    return () => leave.abort();
  }, [round]);

  const done = isSent(now);
  useEffect(() => {
    if (done || isStored()) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [done]);

  const failed = now.files.filter(({ problem }) => problem !== null);
  if (now.refused !== null) {
    return (
      <div role="alert">
        <h1>{t('sending.refused')}</h1>
        <p className={styles.problem}>{now.refused}</p>
        <div className={styles.row}>
          <PlainButton
            primary
            onClick={() => {
              setNow({ ...now, refused: null });
              setRound(round + 1);
            }}
          >
            {t('sending.again')}
          </PlainButton>
          <PlainButton onClick={() => onChangeReport(now)}>{t('sending.change')}</PlainButton>
          <PlainButton onClick={() => onDiscard(now.key)}>{t('sending.discard')}</PlainButton>
        </div>
      </div>
    );
  }
  const stage = done ? 'done' : now.follow !== null ? 'files' : at.waiting ? 'waiting' : 'sending';
  return (
    <>
      <div role="status">
        <h1>{t(`sending.${stage}.title`)}</h1>
        <p className={styles.hint}>
          {stage === 'files' && at.waiting
            ? t('sending.filesWaiting')
            : stage === 'waiting' && at.reason
              ? t('sending.busy', { reason: at.reason })
              : t(`sending.${stage}.text`)}
        </p>
        {stage === 'waiting' && <p className={styles.hint}>{t(isStored() ? 'sending.stored' : 'sending.notStored')}</p>}
      </div>
      {stage === 'files' && (
        <progress
          className={styles.progress}
          value={at.sent}
          max={Math.max(1, at.total)}
          aria-label={t('sending.photos')}
        />
      )}
      {failed.map(({ id, problem }) => (
        <p key={id} className={styles.problem} role="alert">
          {problem}
        </p>
      ))}
      {now.follow !== null && <FollowLink follow={now.follow} />}
      {(done || stage === 'waiting') && (
        <p>
          <button type="button" className={styles.link} onClick={onNew}>
            {t('sending.new')}
          </button>
        </p>
      )}
    </>
  );
}

/** The secret link of a report, to open, copy and mail. */
function FollowLink({ follow }: { follow: string }) {
  const { t } = useTranslation('report');
  const [copied, setCopied] = useState<boolean | null>(null);
  const url = `${location.origin}/share/issue?f=${follow}`;
  const mail = `mailto:?subject=${encodeURIComponent(t('link.mailSubject'))}&body=${encodeURIComponent(url)}`;
  return (
    <section className={styles.follow} aria-label={t('link.title')}>
      <p>{t('link.text')}</p>
      <p>
        <a href={url} className={styles.url}>
          {url}
        </a>
      </p>
      <div className={styles.row}>
        <PlainButton
          onClick={() =>
            void navigator.clipboard.writeText(url).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {t('link.copy')}
        </PlainButton>
        <a className={styles.link} href={mail}>
          {t('link.mail')}
        </a>
      </div>
      {copied !== null && <p role="status">{t(copied ? 'link.copied' : 'link.notCopied')}</p>}
    </section>
  );
}
