import type { LinkRow } from '@chargehand/contract';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openTerminal } from './begin-terminal.ts';

interface Props {
  link: LinkRow;
  /** the user of the device */
  userName: string;
  onOpened(terminal: { key: string; id: number }): void;
  onFailed(problem: string): void;
}

/** Opens a terminal with the key that the device accepts while the link is open. */
export function KeySignIn({ link, userName, onOpened, onFailed }: Props) {
  const { t } = useTranslation('links');
  const begun = useRef(false);
  const done = useRef({ onOpened, onFailed });
  done.current = { onOpened, onFailed };
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    openTerminal(link.id).then(
      (terminal) => done.current.onOpened(terminal),
      (error: Error) => done.current.onFailed(error.message),
    );
  }, [link.id]);
  return (
    <p className="quiet" role="status">
      {t('terminal.signingIn', { user: userName })}
    </p>
  );
}
