import type { OpenedShare } from '@chargehand/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { ApiProblem } from '../../../../shared/api/problem.ts';
import { PlainButton } from '../../../../shared/ui/states/plain-button.tsx';
import { ShareDetails } from '../share-details.tsx';
import styles from '../share-page.module.css';
import { JoinForm } from './join-form.tsx';

/** How often the page checks whether the guest still has access. */
const CHECK_MS = 10_000;

interface Props {
  token: string;
  content: NonNullable<OpenedShare['content']>;
  /** The invitation has ended. */
  onEnded(problem: unknown): void;
}

/** Web pages of a device to which a guest was invited. They open in a new tab, on an address of their own. */
export function SharedPages({ token, content, onEnded }: Props) {
  const { t } = useTranslation('share');
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = name !== null;

  async function open(visitorName: string): Promise<void> {
    const body = { s: token, visitorName, recorded: true } as const;
    const { url } = await call('joinPage', { body }, { quiet: true });
    window.open(url, '_blank', 'noopener,noreferrer');
    setName(visitorName);
    setProblem(null);
  }

  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => {
      call('openShare', { query: { s: token } }, { quiet: true }).catch((error: unknown) => {
        // Without a connection nothing has ended.
        if (error instanceof ApiProblem) onEnded(error);
      });
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [isOpen, token, onEnded]);

  return (
    <>
      <h1 className={styles.name}>{t('page.title', { name: content.name })}</h1>
      <p className={styles.text}>{t(content.interactive ? 'page.interactive' : 'page.readOnly')}</p>
      <ShareDetails content={content} />
      {name === null ? (
        <JoinForm accept={t('page.accept')} join={t('page.join')} onJoin={open} />
      ) : (
        <>
          <p className={styles.text} role="status">
            {t('page.opened')}
          </p>
          <p className={styles.text}>{t('page.recorded')}</p>
          {problem !== null && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
          <PlainButton onClick={() => void open(name).catch((error: Error) => setProblem(error.message))}>
            {t('page.again')}
          </PlainButton>
        </>
      )}
    </>
  );
}
