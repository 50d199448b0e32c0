import type { LinkRow, OpenTerminal } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useLate } from '../../../shared/hooks/late/use-late.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { NEW_VIEWER, type ViewerState } from '../../../shared/ui/terminal/viewer-connection.ts';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './guests.module.css';

/** Where the server accepts WebSockets of watchers (`TERMINAL_PATH` of the contract). */
const PATH = '/api/terminals';
const loadScreen = () => loadChunk(() => import('../../../shared/ui/terminal/viewer-screen.tsx'));

/** The open terminals of a link of another user, to watch them. */
export function WatchTerminals({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const terminals = useQuery(queryOf('listTerminals', { params: { id: link.id } }, { quiet: true }));
  const [watched, setWatched] = useState<{ terminal: OpenTerminal; key: string } | null>(null);
  const watch = useMutation({
    mutationFn: async (terminal: OpenTerminal) => {
      const params = { id: link.id, terminalId: terminal.id };
      return { terminal, ...(await call('watchTerminal', { params, body: {} }, { quiet: true })) };
    },
    onSuccess: setWatched,
  });
  if (watched) {
    const { key, terminal } = watched;
    const onClose = () => setWatched(null);
    return <Watched key={key} socketKey={key} linkId={link.id} terminal={terminal} onClose={onClose} />;
  }
  const items = terminals.data?.items;
  return (
    <Panel title={t('guests.openTerminals')}>
      {terminals.isError ? (
        <ErrorState error={terminals.error} onRetry={() => void terminals.refetch()} />
      ) : !items ? (
        <SkeletonRows rows={2} />
      ) : items.length === 0 ? (
        <EmptyState text={t('guests.noTerminals')} />
      ) : (
        <ul className={css.people}>
          {items.map((terminal) => (
            <li key={terminal.id} className={css.person}>
              <span>
                {t('guests.terminalOf', { name: terminal.host, user: terminal.userName })}{' '}
                <ExactTime at={terminal.startedAt} />
              </span>
              <Button
                type="primary"
                aria-label={t('guests.watchOf', { name: terminal.host })}
                loading={watch.isPending}
                onClick={() => watch.mutate(terminal)}
              >
                {t('guests.watch')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ErrorNote text={watch.error instanceof ApiProblem ? watch.error.message : undefined} />
    </Panel>
  );
}

interface WatchedProps {
  linkId: number;
  terminal: OpenTerminal;
  /** of the WebSocket */
  socketKey: string;
  onClose(): void;
}

function Watched({ linkId, terminal, socketKey, onClose }: WatchedProps) {
  const { t } = useTranslation('links');
  const [state, setState] = useState<ViewerState>(NEW_VIEWER);
  const [ending, setEnding] = useState(false);
  const Screen = useLate(loadScreen);
  const { end, size, host, typing, people, connection } = state;
  return (
    <div className="stack">
      <div className={css.people}>
        <strong>{t('guests.terminalOf', { name: terminal.host, user: terminal.userName })}</strong>
        {size && <span className="quiet">{t('guests.size', { ...size })}</span>}
        <Button onClick={onClose}>{t('guests.stop')}</Button>
        {end === null && (
          <Button danger onClick={() => setEnding(true)}>
            {t('guests.endNow')}
          </Button>
        )}
      </div>
      <p role="status">
        {end !== null
          ? t(`guests.ends.${end}`)
          : connection === 'lost'
            ? t('terminal.lost')
            : typing !== null
              ? t('guests.typing', { name: typing })
              : host?.connected === false && t('guests.hostAway')}
      </p>
      {people.guests.length > 0 && (
        <p>{t('guests.with', { names: people.guests.map(({ name }) => name).join(', ') })}</p>
      )}
      {Screen ? (
        <Screen
          path={`${PATH}/${socketKey}`}
          label={t('terminal.output')}
          inputLabel={t('terminal.input')}
          types={false}
          onState={setState}
        />
      ) : (
        <SkeletonRows rows={8} />
      )}
      {ending && end === null && (
        <Confirm
          title={t('guests.endTitle')}
          ok={t('guests.endNow')}
          danger
          run={() => call('endTerminal', { params: { id: linkId, terminalId: terminal.id } }, { quiet: true })}
          onDone={() => {
            setEnding(false);
            void refresh('listTerminals');
          }}
          onClose={() => setEnding(false)}
        >
          <p>{t('guests.endText')}</p>
        </Confirm>
      )}
    </div>
  );
}
