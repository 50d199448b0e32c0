import type { ReportPlace } from '@chargehand/contract';
import { ISSUE_TYPE_NUMBERS, type IssueType, REPORT_LIMITS } from '@chargehand/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import { PhotoField, type Shot } from './photo-field.tsx';
import type { QueuedReport } from './queue.ts';
import styles from './report.module.css';

interface Props {
  /** null: a report without a link, or whose link could not be read yet */
  place: ReportPlace | null;
  s: string | null;
  connector: number | null;
  onSubmit(report: QueuedReport): void;
}

/** The form of a report: the kind of problem is enough; everything else helps. */
export function ReportForm({ place, s, connector, onSubmit }: Props) {
  const { t } = useTranslation('report');
  const [type, setType] = useState<IssueType | null>(null);
  const [problem, setProblem] = useState('');
  const [shots, setShots] = useState<readonly Shot[]>([]);
  const [outlet, setOutlet] = useState(connector === null ? '' : String(connector));
  const [sn, setSn] = useState('');
  const [where, setWhere] = useState('');
  const [contact, setContact] = useState('');
  const [notify, setNotify] = useState(true);
  const [missing, setMissing] = useState<'type' | 'place' | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (type === null) return setMissing('type');
    if (s === null && sn.trim() === '' && where.trim() === '') return setMissing('place');
    const number = /^\d{1,2}$/.test(outlet.trim()) ? Number(outlet) : 0;
    onSubmit({
      ...{ key: crypto.randomUUID(), s, connector: number > 0 ? number : null, type },
      title: place ? (place.deviceName ?? place.siteName) : [sn, where].map((one) => one.trim()).find(Boolean) || '',
      problem: problem.trim() || t(`types.${type}`),
      ...{ sn: sn.trim(), place: where.trim(), contact: contact.trim(), notify },
      writtenAt: new Date().toISOString(),
      files: shots.map(({ id, name, blob }) => ({ id, name, blob, size: blob.size, problem: null })),
      ...{ follow: null, refused: null },
    });
  }

  return (
    <form onSubmit={submit} noValidate>
      <h1>{t('title')}</h1>
      {place && (
        <p className={styles.place}>
          {place.deviceName !== null && <strong>{place.deviceName}</strong>}
          <span>{place.siteName}</span>
        </p>
      )}
      {s === null && (
        <>
          <p className={styles.hint}>{t('where.hint')}</p>
          <label className={styles.field}>
            <span className={styles.label}>{t('where.sn')}</span>
            <input value={sn} maxLength={64} autoCapitalize="characters" onChange={(e) => setSn(e.target.value)} />
          </label>
          <label className={styles.field}>
            <span className={styles.label}>{t('where.place')}</span>
            <input value={where} maxLength={200} onChange={(event) => setWhere(event.target.value)} />
          </label>
          {missing === 'place' && (
            <p className={styles.problem} role="alert">
              {t('where.missing')}
            </p>
          )}
        </>
      )}
      <fieldset className={styles.types}>
        <legend className={styles.label}>{t('types.label')}</legend>
        {ISSUE_TYPE_NUMBERS.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="type"
              checked={type === one}
              onChange={() => {
                setType(one);
                setMissing(null);
              }}
            />
            <span>{t(`types.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      {missing === 'type' && (
        <p className={styles.problem} role="alert">
          {t('types.missing')}
        </p>
      )}
      <PhotoField shots={shots} onChange={setShots} />
      <label className={styles.field}>
        <span className={styles.label}>{t('problem')}</span>
        <textarea
          value={problem}
          rows={3}
          maxLength={REPORT_LIMITS.text}
          onChange={(event) => setProblem(event.target.value)}
        />
      </label>
      {place?.deviceName != null && connector === null && (
        <label className={styles.field}>
          <span className={styles.label}>{t('connector')}</span>
          <input value={outlet} maxLength={2} inputMode="numeric" onChange={(event) => setOutlet(event.target.value)} />
        </label>
      )}
      <label className={styles.field}>
        <span className={styles.label}>{t('contact.label')}</span>
        <input
          value={contact}
          maxLength={254}
          autoComplete="email"
          onChange={(event) => setContact(event.target.value)}
        />
        <span className={styles.hint}>{t('contact.hint', { count: REPORT_LIMITS.contactDays })}</span>
      </label>
      {contact.includes('@') && (
        <label className={styles.check}>
          <input type="checkbox" checked={notify} onChange={(event) => setNotify(event.target.checked)} />
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
