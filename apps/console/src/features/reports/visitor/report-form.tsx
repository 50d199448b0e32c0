import type { ReportPlace } from '@chargehand/contract';
import { ISSUE_TYPE_NUMBERS, isReporterContact, REPORT_LIMITS } from '@chargehand/domain';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { randomId } from '../../../shared/lib/browser/random-id.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { type Outlet, useOutletName } from './outlet.ts';
import { PhotoField } from './photo-field.tsx';
import { keepDraft, type QueuedReport, type ReportEntries } from './queue.ts';
import styles from './report.module.css';

interface Props {
  /** null: a report without a link, or whose link could not be read yet */
  place: ReportPlace | null;
  s: string | null;
  /** the connector of the link */
  outlet: Outlet | null;
  /** what was entered before */
  initial: ReportEntries;
  /** where entries are kept until they are submitted */
  draft: string;
  onSubmit(report: QueuedReport): void;
}

/** The form of a report: the kind of problem is enough; everything else helps. */
export function ReportForm({ place, s, outlet, initial, draft, onSubmit }: Props) {
  const { t } = useTranslation('report');
  const outletName = useOutletName();
  const [entries, setEntries] = useState(initial);
  const [missing, setMissing] = useState<'type' | 'place' | 'contact' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const contactId = useId();
  const set = (change: Partial<ReportEntries>) => {
    setEntries((now) => ({ ...now, ...change }));
    setMissing(null);
  };
  useDraft(draft, entries, initial);
  useEffect(() => {
    if (missing) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [missing]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const { type, files, notify } = entries;
    const [problem, sn, where, contact] = [entries.problem, entries.sn, entries.place, entries.contact].map((one) =>
      one.trim(),
    ) as [string, string, string, string];
    if (s === null && sn === '' && where === '') return setMissing('place');
    if (type === null) return setMissing('type');
    if (contact !== '' && !isReporterContact(contact)) return setMissing('contact');
    const number = outlet?.number ?? Number(entries.connector);
    onSubmit({
      ...{ key: randomId(), s, connector: number > 0 ? number : null, type },
      title: place ? (place.deviceName ?? place.siteName) : sn || where,
      problem: problem || t(`types.${type}`),
      ...{ sn, place: where, contact, notify, writtenAt: new Date().toISOString() },
      files: files.map((file) => ({ ...file, size: file.blob.size, problem: null })),
      ...{ follow: null, refused: null },
    });
  }

  const alert = (of: typeof missing, text: string) =>
    missing === of && (
      <p className={styles.problem} role="alert">
        {text}
      </p>
    );
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <h1>{t('title')}</h1>
      {place && (
        <p className={styles.place}>
          {place.deviceName !== null && <strong>{place.deviceName}</strong>}
          <span>{place.siteName}</span>
          {outlet !== null && <span>{outletName(outlet)}</span>}
        </p>
      )}
      {s === null && (
        <>
          <p className={styles.hint}>{t('where.hint')}</p>
          <label className={styles.field}>
            <span className={styles.label}>{t('where.sn')}</span>
            <input
              value={entries.sn}
              maxLength={64}
              autoCapitalize="characters"
              autoComplete="off"
              onChange={(event) => set({ sn: event.target.value })}
            />
          </label>
          <label className={styles.field}>
            <span className={styles.label}>{t('where.place')}</span>
            <input value={entries.place} maxLength={200} onChange={(event) => set({ place: event.target.value })} />
          </label>
          {alert('place', t('where.missing'))}
        </>
      )}
      <fieldset className={styles.types}>
        <legend className={styles.label}>{t('types.label')}</legend>
        {ISSUE_TYPE_NUMBERS.map((one) => (
          <label key={one}>
            <input type="radio" name="type" checked={entries.type === one} onChange={() => set({ type: one })} />
            <span>{t(`types.${one}`)}</span>
          </label>
        ))}
        {alert('type', t('types.missing'))}
      </fieldset>
      <PhotoField shots={entries.files} onChange={(files) => set({ files })} />
      <label className={styles.field}>
        <span className={styles.label}>{t('problem')}</span>
        <textarea
          value={entries.problem}
          rows={3}
          maxLength={REPORT_LIMITS.text}
          onChange={(event) => set({ problem: event.target.value })}
        />
      </label>
      {place?.deviceName != null && outlet === null && (
        <label className={styles.field}>
          <span className={styles.label}>{t('connector')}</span>
          <input
            value={entries.connector}
            maxLength={2}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => set({ connector: event.target.value.replace(/\D/g, '') })}
          />
        </label>
      )}
      <div className={styles.field}>
        <label className={styles.label} htmlFor={contactId}>
          {t('contact.label')}
        </label>
        <input
          id={contactId}
          value={entries.contact}
          maxLength={254}
          autoComplete="email"
          autoCapitalize="none"
          aria-invalid={missing === 'contact'}
          aria-describedby={`${contactId}-hint`}
          onChange={(event) => set({ contact: event.target.value })}
        />
        <span id={`${contactId}-hint`} className={styles.hint}>
          {t('contact.hint', { count: REPORT_LIMITS.contactDays })}
        </span>
        {alert('contact', t('contact.wrong'))}
      </div>
      {entries.contact.includes('@') && (
        <label className={styles.check}>
          <input type="checkbox" checked={entries.notify} onChange={(event) => set({ notify: event.target.checked })} />
          <span>{t('contact.notify')}</span>
        </label>
      )}
      <div className={styles.send}>
        <PlainButton type="submit" primary>
          {t('send')}
        </PlainButton>
      </div>
    </form>
  );
}

/** Keeps what was entered when the page is left or hidden, as by the camera, and when photos change. */
function useDraft(key: string, entries: ReportEntries, initial: ReportEntries) {
  const latest = useRef(entries);
  latest.current = entries;
  useEffect(() => {
    const keep = () => {
      if (latest.current !== initial) void keepDraft(key, latest.current);
    };
    document.addEventListener('visibilitychange', keep);
    addEventListener('pagehide', keep);
    return () => {
      document.removeEventListener('visibilitychange', keep);
      removeEventListener('pagehide', keep);
    };
  }, [key, initial]);
  const { files } = entries;
  useEffect(() => {
    if (files !== initial.files) void keepDraft(key, latest.current);
  }, [key, files, initial.files]);
}
