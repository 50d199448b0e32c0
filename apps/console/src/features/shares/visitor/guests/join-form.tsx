import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCancelled } from '../../../../shared/api/problem.ts';
import { PlainButton } from '../../../../shared/ui/states/plain-button.tsx';
import styles from '../share-page.module.css';

interface Props {
  /** the text of the consent to the recording */
  accept: string;
  /** the text of the button */
  join: string;
  onJoin(name: string): Promise<void>;
}

/** The name of a guest and their consent to the recording. */
export function JoinForm({ accept, join, onJoin }: Props) {
  const { t } = useTranslation('share');
  const [name, setName] = useState('');
  const [accepts, setAccepts] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (name.trim() === '') return setProblem(t('terminal.nameMissing'));
    if (!accepts) return setProblem(t('terminal.acceptMissing'));
    setBusy(true);
    setProblem(null);
    try {
      await onJoin(name);
    } catch (error) {
      if (!isCancelled(error)) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <label className={styles.label} htmlFor="guest-name">
        {t('terminal.name')}
      </label>
      <input
        id="guest-name"
        className={styles.input}
        value={name}
        maxLength={100}
        autoComplete="name"
        onChange={(event) => setName(event.target.value)}
      />
      <label className={styles.accept}>
        <input type="checkbox" checked={accepts} onChange={(event) => setAccepts(event.target.checked)} />
        <span>{accept}</span>
      </label>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <PlainButton type="submit" primary aria-disabled={busy} aria-busy={busy}>
        {join}
      </PlainButton>
    </form>
  );
}
