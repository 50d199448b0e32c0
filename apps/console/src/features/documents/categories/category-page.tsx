import type { CategoryRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryClient, queryOf, refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { useCategoryName } from '../shared/names.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { CategoryDialog, type Edited } from './category-dialog.tsx';
import { CategoryTree } from './category-tree.tsx';
import { moved, type Place } from './tree.ts';

const LIST = queryOf('listCategories', {}, { quiet: true });
const MOVES = ['moveCategory'];

/** The categories of documents as a tree: added, renamed, moved and deleted. */
export default function CategoryPage() {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const nameOf = useCategoryName();
  const { editCategories: edits } = useDocumentRights();
  const categories = useQuery(LIST);
  const [edited, setEdited] = useState<Edited | null>(null);
  const [deletes, setDeletes] = useState<CategoryRow | null>(null);
  const move = useMutation({
    mutationKey: MOVES,
    // One move after another, because each place is meant in the order that the moves before it leave.
    scope: { id: 'categories' },
    mutationFn: ({ id, place }: { id: number; place: Place }) =>
      call('moveCategory', { params: { id }, body: place }, { quiet: true }),
    async onMutate({ id, place }) {
      await queryClient.cancelQueries({ queryKey: LIST.queryKey });
      queryClient.setQueryData(LIST.queryKey, (before) => before && { items: moved(before.items, id, place) });
    },
    onError: (error) => toast.error(error instanceof ApiProblem ? error.message : common('com_error_system')),
    // The list that is read while another move waits would undo that move on the screen.
    onSettled: () => (queryClient.isMutating({ mutationKey: MOVES }) > 1 ? undefined : refresh('listCategories')),
  });
  const all = categories.data?.items;
  const add = edits && (
    <Button type="primary" onClick={() => setEdited({ parent: null })}>
      {t('category.add')}
    </Button>
  );
  return (
    <Page title={routes('docsCategory')} actions={all && all.length > 0 && add}>
      {categories.isError && !all ? (
        <ErrorState error={categories.error} onRetry={() => void categories.refetch()} />
      ) : !all ? (
        <SkeletonRows rows={8} />
      ) : all.length === 0 ? (
        <EmptyState text={t('category.none')} action={add} />
      ) : (
        <Panel title={t('category.order')} extra={edits && <span className="quiet">{t('category.hint')}</span>}>
          <CategoryTree
            all={all}
            onMove={edits ? (id, place) => move.mutate({ id, place }) : undefined}
            onAdd={(parent) => setEdited({ parent })}
            onRename={(category) => setEdited({ category })}
            onDelete={setDeletes}
          />
        </Panel>
      )}
      {edited && <CategoryDialog edited={edited} onClose={() => setEdited(null)} />}
      {deletes && (
        <Confirm
          title={t('category.deleteTitle', { name: nameOf(deletes) })}
          ok={t('category.delete')}
          danger
          run={() => call('deleteCategory', { params: { id: deletes.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('category.deleted', { name: nameOf(deletes) }));
            setDeletes(null);
            void refresh('listCategories');
          }}
          onClose={() => setDeletes(null)}
        >
          <p>{t('category.deleteText')}</p>
        </Confirm>
      )}
    </Page>
  );
}
