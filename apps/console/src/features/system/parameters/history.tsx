import type { SystemParameterChange } from '@chargehand/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { BrandingValue } from './branding-value.tsx';
import { ErasedNote, useErased } from './erased-note.tsx';
import { useParameterTexts } from './parameter-texts.ts';
import css from './parameters.module.css';

/** The changes of all parameters, newest first. The last change of each can be undone. */
export function History() {
  const { t } = useTranslation('system-parameters');
  const [undone, setUndone] = useState<SystemParameterChange | null>(null);
  const pages = useInfiniteQuery({
    queryKey: ['listSystemParameterChanges', {}, 'pages'],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) =>
      call('listSystemParameterChanges', { query: pageParam === null ? {} : { before: pageParam } }, { signal }),
    getNextPageParam: ({ next }) => next,
  });
  if (!pages.data) {
    return pages.isError ? <ErrorState error={pages.error} onRetry={() => void pages.refetch()} /> : <SkeletonRows />;
  }
  const items = pages.data.pages.flatMap((page) => page.items);
  return (
    <Panel>
      {items.length === 0 && <EmptyState text={t('history.none')} />}
      <ul className={`plain-list ${css.rows}`}>
        {items.map((change) => (
          <Change key={change.id} change={change} onUndo={() => setUndone(change)} />
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('history.more')}
        </Button>
      )}
      {undone && <UndoDialog change={undone} onClose={() => setUndone(null)} />}
    </Panel>
  );
}

function Change({ change, onUndo }: { change: SystemParameterChange; onUndo(): void }) {
  const { t } = useTranslation('system-parameters');
  const name = useParameterTexts().label(change.key);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>
          <ValueOf change={change} side="before" /> → <ValueOf change={change} side="after" />
        </p>
        {change.undid !== null && (
          <p>
            {t('history.undid')} <ExactTime at={change.undid} />
          </p>
        )}
      </div>
      <div className={css.value}>
        <span>{change.userName}</span>
        <ExactTime at={change.at} />
      </div>
      {change.canUndo && (
        <Button aria-label={t('history.undoOne', { name })} onClick={onUndo}>
          {t('history.undo')}
        </Button>
      )}
    </li>
  );
}

function ValueOf({ change, side }: { change: SystemParameterChange; side: 'before' | 'after' }) {
  const { t } = useTranslation('system-parameters');
  const value = change[side];
  return value === null ? t('isDefault') : <BrandingValue name={change.key} value={value} />;
}

function UndoDialog({ change, onClose }: { change: SystemParameterChange; onClose(): void }) {
  const { t } = useTranslation('system-parameters');
  const { id, key, before } = change;
  const name = useParameterTexts().label(key);
  const list = useQuery(queryOf('listSystemParameters', {}));
  const row = list.data?.items.find((item) => item.key === key);
  const restored = before ?? row?.base ?? null;
  const erased = useErased(key, restored, row?.value ?? 0);
  return (
    <Confirm
      title={t('history.undoOne', { name })}
      ok={erased.deletes ? t('history.undoAndDelete') : t('history.undo')}
      danger={erased.deletes}
      ready={row !== undefined && erased.known}
      run={async () => {
        await call('undoSystemParameterChange', { params: { id }, body: {} });
        await refresh('listSystemParameters', 'listSystemParameterChanges');
      }}
      onDone={() => {
        toast.success(t('history.undone', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <ValueOf change={change} side="after" /> → <ValueOf change={change} side="before" />
      </p>
      <ErasedNote erased={erased} value={restored ?? 0} />
    </Confirm>
  );
}
