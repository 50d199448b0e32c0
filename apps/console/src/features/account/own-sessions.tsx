import type { OwnSession } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Browser } from '../../shared/ui/values/browser.tsx';
import { ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import css from './account.module.css';
import { ShortTable } from './short-table.tsx';

/** The user's own sessions, with a button to end them. */
export function OwnSessions() {
  const { t } = useTranslation('account');
  const sessions = useQuery(queryOf('listOwnSessions', {}, { quiet: true }));
  // What to end: one session, or all except this one.
  const [ending, setEnding] = useState<OwnSession | 'others' | null>(null);
  const others = sessions.data?.items.filter(({ current }) => !current) ?? [];
  return (
    <Panel
      title={t('sessions.title')}
      extra={
        others.length > 0 && (
          <Button size="small" onClick={() => setEnding('others')}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {sessions.isError && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <SkeletonRows rows={2} />}
      {sessions.data && (
        <ShortTable<OwnSession>
          label={t('sessions.title')}
          rows={sessions.data.items}
          compact={(session) => (
            <div className={css.myRow}>
              <Browser userAgent={session.userAgent} />
              <EndButton session={session} onEnd={setEnding} />
              <span className="quiet">
                <span className="mono">{session.address}</span> · <TimeAgo at={session.lastSeenAt} />
              </span>
            </div>
          )}
          columns={[
            { title: t('sessions.browser'), render: (_, { userAgent }) => <Browser userAgent={userAgent} /> },
            { title: t('sessions.address'), render: (_, { address }) => <span className="mono">{address}</span> },
            { title: t('sessions.since'), render: (_, { since }) => <ExactTime at={since} /> },
            { title: t('sessions.lastSeen'), render: (_, { lastSeenAt }) => <TimeAgo at={lastSeenAt} /> },
            {
              title: <span className="visually-hidden">{t('sessions.end')}</span>,
              align: 'end',
              render: (_, session) => <EndButton session={session} onEnd={setEnding} />,
            },
          ]}
        />
      )}
      {ending !== null && <EndDialog ending={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}

/** Ends a session, or marks the current one. */
function EndButton({ session, onEnd }: { session: OwnSession; onEnd(session: OwnSession): void }) {
  const { t } = useTranslation('account');
  if (session.current) {
    return (
      <Tag tone="idle" glyph="check">
        {t('sessions.current')}
      </Tag>
    );
  }
  return (
    <Button size="small" aria-label={t('sessions.endOne', { address: session.address })} onClick={() => onEnd(session)}>
      {t('sessions.end')}
    </Button>
  );
}

function EndDialog({ ending, onClose }: { ending: OwnSession | 'others'; onClose(): void }) {
  const { t } = useTranslation('account');
  return (
    <Confirm
      title={ending === 'others' ? t('sessions.endOthersTitle') : t('sessions.endTitle')}
      ok={t('sessions.end')}
      danger
      run={() =>
        ending === 'others'
          ? call('endOtherSessions', { body: {} }, { quiet: true })
          : call('endOwnSession', { params: { id: ending.id }, body: {} }, { quiet: true })
      }
      onDone={() => {
        toast.success(t('sessions.ended'));
        void refresh('listOwnSessions');
        onClose();
      }}
      onClose={onClose}
    >
      {ending !== 'others' && (
        <p>
          <Browser userAgent={ending.userAgent} /> · <span className="mono">{ending.address}</span>
        </p>
      )}
      <p>{t('sessions.endText')}</p>
    </Confirm>
  );
}
