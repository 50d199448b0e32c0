import type { OpenedShare } from '@chargehand/contract';
import { SHARE_CODE_LENGTH, shareCodeOf } from '@chargehand/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem, isCancelled } from '../../../shared/api/problem.ts';
import { PlainButton } from '../../../shared/ui/states/plain-button.tsx';
import styles from './share-page.module.css';

/** The code is wrong; every other error ends the share for now. */
const WRONG = 11356;

interface Props {
  token: string;
  onOpened(share: OpenedShare): void;
  onEnded(problem: unknown): void;
}

/** Asks for the access code. Before it is right, the page shows nothing of the share. */
export function CodeForm({ token, onOpened, onEnded }: Props) {
  const { t } = useTranslation('share');
  const [entered, setEntered] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (shareCodeOf(entered) === null) return setProblem(t('code.form', { count: SHARE_CODE_LENGTH }));
    setBusy(true);
    setProblem(null);
    try {
      onOpened(await call('enterShareCode', { body: { s: token, accessCode: entered } }, { quiet: true }));
    } catch (error) {
      if (isCancelled(error)) return;
      if (error instanceof ApiProblem && error.code !== WRONG && error.kind === 'business') return onEnded(error);
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <h1>{t('code.title')}</h1>
      <p className={styles.text}>{t('code.text')}</p>
      <label className={styles.label} htmlFor="share-code">
        {t('code.label')}
      </label>
      <div className="field-row">
        <input
          id="share-code"
          className={styles.code}
          value={entered}
          onChange={(event) => setEntered(event.target.value)}
          maxLength={12}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : 'share-code-problem'}
          // biome-ignore lint/a11y/noAutofocus: the only input of the page
          autoFocus
        />
        <PlainButton type="submit" primary aria-disabled={busy} aria-busy={busy}>
          {t('code.submit')}
        </PlainButton>
      </div>
      {problem !== null && (
        <p id="share-code-problem" className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
