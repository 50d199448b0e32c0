import type { ShareRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/client.ts';
import { queryOf, refresh } from '../../api/query.ts';
import { shareText } from '../../lib/share-text.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { useUser } from '../../session/use-user.ts';
import { Confirm } from '../dialogs/confirm.tsx';
import { toast } from '../dialogs/toast.ts';
import { ErrorState } from '../states/error-state.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';
import { ShareState } from '../tags/share-state.tsx';
import { copyText } from '../values/copy-text.ts';
import { ExactTime } from '../values/time-ago.tsx';
import css from './object-shares.module.css';

/** The rows that are shown here; the list of shares has all. */
export const SHOWN = 20;

/** The shares of a file, folder or issue that have not ended, with their links, and what can be done with them. */
export function ObjectShares(props: { attachmentId: number } | { folderId: number } | { issueId: number }) {
  const { t } = useTranslation('shares');
  const hasList = usePermitted(['auth_attach']);
  const { user } = useUser();
  const [ending, setEnding] = useState<ShareRow | null>(null);
  const shares = useQuery(queryOf('listShares', { query: { ...props, page: 1, pageSize: SHOWN } }, { quiet: true }));
  if (!shares.data) {
    return shares.isError ? (
      <ErrorState error={shares.error} onRetry={() => void shares.refetch()} />
    ) : (
      <SkeletonRows rows={2} />
    );
  }
  const { items, total } = shares.data;
  const [first] = items;
  if (!first) return <p className="quiet">{t('ofObject.none')}</p>;
  return (
    <>
      <ul className={`plain-list ${css.list}`}>
        {items.map((share) => (
          <li key={share.id}>
            <Facts share={share} />
            <span className="field-row">
              {share.token !== null && (
                <Button size="small" onClick={() => void copyText(shareText(share.token ?? '', share.code))}>
                  {share.code === null ? t('copyLink') : t('copyBoth')}
                </Button>
              )}
              {(user.root || !user.readOnly) && (
                <Button size="small" danger onClick={() => setEnding(share)}>
                  {t('destroy')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {total > items.length && hasList && (
        <p>
          <Link to={`/manage/attach/shares?${new URLSearchParams({ search: first.object.name })}`}>
            {t('ofObject.all', { count: total })}
          </Link>
        </p>
      )}
      {ending && (
        <Confirm
          title={t('destroyTitle', { name: ending.object.name })}
          ok={t('destroy')}
          danger
          run={() => call('destroyShare', { params: { id: ending.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('destroyed'));
            void refresh('listShares', 'readShare');
            setEnding(null);
          }}
          onClose={() => setEnding(null)}
        >
          <p>{t(ending.kind === 'issue' ? 'destroyIssueText' : 'destroyText')}</p>
        </Confirm>
      )}
    </>
  );
}

/** What tells a share from the others of the same object. */
function Facts({ share }: { share: ShareRow }) {
  const { t } = useTranslation('shares');
  const hasList = usePermitted(['auth_attach']);
  const { id, kind, recipient, createdBy, own, createdAt, expiresAt, uses, useLimit, comments } = share;
  const name = recipient || t(`kinds.${kind}`);
  return (
    <div className={css.facts}>
      <span className="breaks">
        {hasList ? <Link to={`/manage/attach/shares?share=${id}`}>{name}</Link> : name} <ShareState share={share} />
      </span>
      {kind === 'issue' && <span className="quiet">{t(comments ? 'access.comment' : 'access.read')}</span>}
      <span className="quiet">
        {own ? t('ofObject.own') : createdBy}, <ExactTime at={createdAt} />
      </span>
      <span className="quiet">
        {expiresAt === null ? (
          t('permanent')
        ) : (
          <>
            {t('until')} <ExactTime at={expiresAt} />
          </>
        )}
        {' · '}
        <span className="no-break">
          {t('uses')} {useLimit === null ? uses : t('usesOf', { uses, limit: useLimit })}
        </span>
      </span>
    </div>
  );
}
