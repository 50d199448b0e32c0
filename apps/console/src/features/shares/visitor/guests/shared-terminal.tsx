import type { OpenedShare } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { useLate } from '../../../../shared/hooks/late/use-late.ts';
import { loadChunk } from '../../../../shared/lib/browser/load-chunk.ts';
import { PlainButton } from '../../../../shared/ui/states/plain-button.tsx';
import { NEW_VIEWER, type ViewerState } from '../../../../shared/ui/terminal/viewer-connection.ts';
import { ShareDetails } from '../share-details.tsx';
import styles from '../share-page.module.css';
import { JoinForm } from './join-form.tsx';

/** Where the server accepts WebSockets of guests (`GUEST_TERMINAL_PATH` of the contract). */
const PATH = '/api/unauth/share/terminals';
const loadScreen = () => loadChunk(() => import('../../../../shared/ui/terminal/viewer-screen.tsx'));

interface Props {
  token: string;
  content: NonNullable<OpenedShare['content']>;
}

/** A terminal to which a guest was invited: first the name and the consent to the recording, then the screen. */
export function SharedTerminal({ token, content }: Props) {
  const { t } = useTranslation('share');
  const [key, setKey] = useState<string | null>(null);
  return (
    <>
      <h1 className={styles.name}>{t('terminal.title', { name: content.name })}</h1>
      <p className={styles.text}>{t(content.interactive ? 'terminal.interactive' : 'terminal.readOnly')}</p>
      {key === null ? (
        <>
          <ShareDetails content={content} />
          <JoinForm
            accept={t('terminal.accept')}
            join={t('terminal.join')}
            onJoin={async (visitorName) => {
              const body = { s: token, visitorName, recorded: true } as const;
              setKey((await call('joinTerminal', { body }, { quiet: true })).key);
            }}
          />
        </>
      ) : (
        <GuestTerminal key={key} socketKey={key} onAgain={() => setKey(null)} />
      )}
    </>
  );
}

function GuestTerminal({ socketKey, onAgain }: { socketKey: string; onAgain(): void }) {
  const { t } = useTranslation('share');
  const [state, setState] = useState<ViewerState>(NEW_VIEWER);
  const Screen = useLate(loadScreen);
  const { end, connection, host, interactive, typing } = state;
  const types = end === null && connection === 'open' && interactive && host?.connected === true;
  return (
    <>
      <p className={styles.text} role="status">
        {end !== null
          ? t(`terminal.ends.${end}`)
          : connection !== 'open'
            ? t(connection === 'lost' ? 'terminal.lost' : 'loading')
            : host?.connected === false
              ? t('terminal.hostAway')
              : typing !== null
                ? t('terminal.typing', { name: typing })
                : t(types ? 'terminal.recorded' : 'terminal.watching')}
      </p>
      {end === 'away' && <PlainButton onClick={onAgain}>{t('retry')}</PlainButton>}
      {Screen && (
        <Screen
          path={`${PATH}/${socketKey}`}
          label={t('terminal.output')}
          inputLabel={t('terminal.input')}
          types={types}
          onState={setState}
        />
      )}
    </>
  );
}
