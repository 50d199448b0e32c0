import type { SharedIssue } from '@chargehand/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { useRequestKey } from '../../../../shared/hooks/use-request-key.ts';
import { PlainButton } from '../../../../shared/ui/states/plain-button.tsx';
import shared from '../share-page.module.css';
import styles from './shared-issue.module.css';

interface Props {
  token: string;
  onSent(issue: SharedIssue): void;
}

/** The field for a comment of a visitor. The same comment is stored once, also when it is sent again after an error. */
export function CommentForm({ token, onSent }: Props) {
  const { t } = useTranslation('share');
  const id = useId();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<{ field: 'name' | 'text' | null; text: string } | null>(null);
  const [state, setState] = useState<'written' | 'sending' | 'sent'>('written');
  const withKey = useRequestKey();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === 'sending') return;
    if (name.trim() === '') return setProblem({ field: 'name', text: t('issue.comment.nameMissing') });
    if (text.trim() === '') return setProblem({ field: 'text', text: t('issue.comment.missing') });
    setState('sending');
    setProblem(null);
    const body = { s: token, visitorName: name.trim(), comment: text.trim() };
    try {
      const issue = await withKey(body, (requestKey) =>
        call('commentSharedIssue', { body: { ...body, requestKey } }, { quiet: true }),
      );
      setText('');
      setState('sent');
      onSent(issue);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setState('written');
      setProblem({ field: null, text: t('issue.comment.failed', { reason }) });
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <label className={shared.label} htmlFor={`${id}-name`}>
        {t('issue.comment.name')}
      </label>
      <input
        id={`${id}-name`}
        className={shared.input}
        value={name}
        maxLength={100}
        autoComplete="name"
        aria-invalid={problem?.field === 'name'}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <label className={shared.label} htmlFor={`${id}-text`}>
        {t('issue.comment.label')}
      </label>
      <textarea
        id={`${id}-text`}
        className={`${shared.input} ${styles.area}`}
        rows={4}
        value={text}
        maxLength={5_000}
        aria-invalid={problem?.field === 'text'}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setState('written');
        }}
      />
      {problem && (
        <p id={`${id}-problem`} className={shared.problem} role="alert">
          {problem.text}
        </p>
      )}
      <PlainButton type="submit" primary aria-disabled={state === 'sending'} aria-busy={state === 'sending'}>
        {t('issue.comment.send')}
      </PlainButton>
      <p role="status">{state === 'sent' && t('issue.comment.sent')}</p>
    </form>
  );
}
