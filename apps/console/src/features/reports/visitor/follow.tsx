import type { FollowedReport } from '@chargehand/contract';
import { POLL_MS } from '@chargehand/contract/constants';
import { REPORT_LIMITS } from '@chargehand/domain';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { isCancelled } from '../../../shared/api/problem.ts';
import { useRequestKey } from '../../../shared/hooks/use-request-key.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { isLost } from '../../../shared/uploads/send-parts.ts';
import { useOutletName } from './outlet.ts';
import { PhotoField } from './photo-field.tsx';
import type { PickedFile } from './queue.ts';
import styles from './report.module.css';
import { sendFile } from './sender.ts';

const TIME = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** A report for its reporter: its status in plain words, the answers, and a field to reply. */
export function Follow({ f }: { f: string }) {
  const { t } = useTranslation('report');
  const outletName = useOutletName();
  const locale = useLocale();
  const [report, setReport] = useState<FollowedReport | null>(null);
  const [problem, setProblem] = useState<{ text: string; lost: boolean } | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `locale` repeat the call
  useEffect(() => {
    const leave = new AbortController();
    const load = () => {
      if (document.hidden) return;
      call('followReport', { query: { f } }, { quiet: true, signal: leave.signal }).then(
        (found) => {
          setReport(found);
          setProblem(null);
        },
        (error: unknown) => {
          if (isCancelled(error) || leave.signal.aborted) return;
          setProblem({ text: error instanceof Error ? error.message : String(error), lost: isLost(error) });
        },
      );
    };
    load();
    const timer = setInterval(load, POLL_MS);
    document.addEventListener('visibilitychange', load);
    return () => {
      leave.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', load);
    };
  }, [f, round, locale]);

  if (!report) {
    if (!problem) return <p role="status">{t('loading')}</p>;
    return (
      <div role="alert">
        <h1>{t(problem.lost ? 'follow.failed' : 'follow.unknown')}</h1>
        <p className={styles.hint}>{problem.text}</p>
        <PlainButton onClick={() => setRound(round + 1)}>{t('retry')}</PlainButton>
      </div>
    );
  }
  const reload = () => setRound((now) => now + 1);
  const time = new Intl.DateTimeFormat(locale, TIME);
  const { place, placeText, connector, status, messages } = report;
  const where = place ? [place.deviceName, place.siteName].filter(Boolean).join(' · ') : placeText;
  return (
    <>
      <h1>{t('follow.title')}</h1>
      <p className={styles.place}>
        <span>{where}</span>
        {connector !== null && <span>{outletName({ number: connector, evse: null })}</span>}
      </p>
      <p className={styles.status} data-status={status} role="status">
        <strong>{t(`status.${status}.name`)}</strong>
        <span>{t(`status.${status}.text`)}</span>
      </p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem.lost ? t('follow.stale') : problem.text}
        </p>
      )}
      <ol className={styles.messages}>
        {messages.map(({ id, at, by, text, files }) => (
          <li key={id} data-by={by}>
            <span className="small-text">
              {t(`follow.by.${by}`)} <time dateTime={at}>{time.format(new Date(at))}</time>
            </span>
            <p>{text}</p>
            {files.length > 0 && <span className={styles.hint}>{t('follow.files', { count: files.length })}</span>}
          </li>
        ))}
      </ol>
      {report.repliesLeft > 0 && <Reply f={f} onSent={reload} />}
      {report.hasMail && (
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={report.notify}
            onChange={(event) => {
              const notify = event.target.checked;
              setReport({ ...report, notify });
              call('notifyReporter', { body: { f, notify } }, { quiet: true }).then(reload, (error: unknown) => {
                setReport({ ...report, notify: !notify });
                setProblem({ text: error instanceof Error ? error.message : String(error), lost: isLost(error) });
              });
            }}
          />
          <span>{t('contact.notify')}</span>
        </label>
      )}
    </>
  );
}

function Reply({ f, onSent }: { f: string; onSent(): void }) {
  const { t } = useTranslation('report');
  const [text, setText] = useState('');
  const [shots, setShots] = useState<readonly PickedFile[]>([]);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const withKey = useRequestKey();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const message = text.trim() || (shots.length > 0 ? t('follow.photosOnly') : '');
    if (message === '') return setProblem(t('follow.empty'));
    setBusy(true);
    setProblem(null);
    try {
      await withKey(message, (requestKey) =>
        call('replyToReport', { body: { f, requestKey, message } }, { quiet: true }),
      );
      const refused: string[] = [];
      for (const { id, name, blob } of shots) {
        const fault = await sendFile(f, { id, name }, blob, new AbortController().signal, (_, lost) =>
          setWaiting(lost),
        );
        if (fault !== null) refused.push(fault);
      }
      // What was entered meanwhile is kept.
      setText((now) => (now === text ? '' : now));
      setShots((now) => now.filter((shot) => !shots.includes(shot)));
      if (refused[0] !== undefined) setProblem(refused[0]);
      onSent();
    } catch (error) {
      if (!isCancelled(error)) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
      setWaiting(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <label className={styles.field}>
        <span className={styles.label}>{t('follow.reply')}</span>
        <textarea
          value={text}
          rows={3}
          maxLength={REPORT_LIMITS.text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <PhotoField shots={shots} onChange={setShots} />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {waiting && (
        <p className={styles.hint} role="status">
          {t('sending.filesWaiting')}
        </p>
      )}
      <div className={styles.send}>
        <PlainButton type="submit" primary aria-disabled={busy} aria-busy={busy}>
          {t(busy ? 'follow.sending' : 'follow.send')}
        </PlainButton>
      </div>
    </form>
  );
}
