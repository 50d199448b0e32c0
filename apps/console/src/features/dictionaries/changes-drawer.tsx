import type { DictionaryChangeRow } from '@chargehand/contract';
import { type Dictionary, formatTime } from '@chargehand/domain';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './dictionaries.module.css';
import { refreshDictionaries } from './refresh-dictionaries.ts';
import { ValueChanges } from './value-changes.tsx';

interface Props {
  dictionary: Dictionary;
  /** null: of all entries */
  code: string | null;
  onClose(): void;
}

/** The recorded changes, newest first. The last change of an entry can be undone. */
export function ChangesDrawer({ dictionary, code, onClose }: Props) {
  const { t } = useTranslation('dictionary');
  const changes = useInfiniteQuery({
    queryKey: ['listDictionaryChanges', { params: { dictionary }, query: { code } }],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(code !== null && { code }), ...(pageParam !== null && { before: pageParam }) };
      return call('listDictionaryChanges', { params: { dictionary }, query }, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ items, more }) => (more ? items.at(-1)?.id : undefined),
  });
  const items = changes.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Drawer
      open
      onClose={onClose}
      size={620}
      title={code === null ? t('historyTitle', { dictionary: t(`tabs.${dictionary}`) }) : t('historyOf', { code })}
    >
      <p className="quiet">{t('historyHint')}</p>
      {!changes.data &&
        (changes.isError ? (
          <ErrorState error={changes.error} onRetry={() => void changes.refetch()} />
        ) : (
          <SkeletonRows />
        ))}
      {changes.data && items.length === 0 && <EmptyState text={t('noHistory')} />}
      <ul className={css.changes}>
        {items.map((change) => (
          <Change key={change.id} dictionary={dictionary} change={change} />
        ))}
      </ul>
      {changes.hasNextPage && (
        <Button loading={changes.isFetchingNextPage} onClick={() => void changes.fetchNextPage()}>
          {t('earlier')}
        </Button>
      )}
    </Drawer>
  );
}

function Change({ dictionary, change }: { dictionary: Dictionary; change: DictionaryChangeRow }) {
  const { t } = useTranslation('dictionary');
  const { id, code, at, by, action, byDefault } = change;
  const [before, after] = [change.before ?? byDefault, change.after ?? byDefault];
  const undo = useMutation({
    mutationFn: () => call('undoDictionaryChange', { params: { id }, body: {} }),
    onSuccess: () => toast.success(t('undone', { code })),
    onSettled: () => refreshDictionaries(),
  });
  return (
    <li>
      <div className={css.changeHead}>
        <span>
          <strong>{t(`actions.${action}`)}</strong> <code className="breaks">{code}</code>
        </span>
        {change.undoable && (
          <Button
            size="small"
            loading={undo.isPending}
            aria-label={t('undoOf', { code, at: formatTime(at) })}
            onClick={() => undo.mutate()}
          >
            {t('undo')}
          </Button>
        )}
      </div>
      <span className="quiet">
        {by} · <ExactTime at={at} />
      </span>
      <ValueChanges dictionary={dictionary} before={before} after={after} />
    </li>
  );
}
