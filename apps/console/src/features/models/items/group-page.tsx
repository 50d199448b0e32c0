import type { ItemGroupRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Field } from '../field.tsx';
import css from '../models.module.css';
import { useEditsModels, useNames } from '../names.ts';
import { Sortable } from '../sortable.tsx';

/** The groups of the data model, in the order of device pages. */
export default function GroupPage() {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const { nameOf } = useNames();
  const edits = useEditsModels();
  const groups = useQuery(queryOf('listItemGroups', {}, { quiet: true }));
  const [open, setOpen] = useState<ItemGroupRow | 'new' | null>(null);
  const [deletes, setDeletes] = useState<ItemGroupRow | null>(null);
  const order = useMutation({
    mutationFn: (ids: number[]) => call('orderItemGroups', { body: { ids } }, { quiet: true }),
    onError: (error) => toast.error(error instanceof ApiProblem ? error.message : common('com_error_system')),
    onSettled: () => refresh('listItemGroups', 'listDataItems'),
  });

  return (
    <Page
      title={routes('configModelGroup')}
      actions={
        edits && (
          <Button type="primary" onClick={() => setOpen('new')}>
            {t('groups.add')}
          </Button>
        )
      }
    >
      {groups.isError && !groups.data ? (
        <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />
      ) : !groups.data ? (
        <SkeletonRows rows={10} />
      ) : groups.data.items.length === 0 ? (
        <EmptyState text={t('groups.empty')} />
      ) : (
        <Panel title={t('groups.order')} extra={edits && <span className="quiet">{t('order.hint')}</span>}>
          <Sortable
            label={routes('configModelGroup')}
            items={groups.data.items}
            nameOf={(group) => nameOf(group.name)}
            onOrder={edits ? (ids) => order.mutate(ids) : undefined}
          >
            {(group) => (
              <div className="group-row">
                <span className={css.groupNames}>
                  <strong>{nameOf(group.name)}</strong>
                  <span className="quiet">{group.name.en === nameOf(group.name) ? group.name.zh : group.name.en}</span>
                </span>
                <Link to={`/manage/config-model/list?groupId=${group.id}`}>
                  {t('item.count', { count: group.items })}
                </Link>
                {edits && (
                  <span className={css.groupButtons}>
                    <Button
                      size="small"
                      aria-label={t('groups.renameOf', { name: nameOf(group.name) })}
                      onClick={() => setOpen(group)}
                    >
                      {t('groups.rename')}
                    </Button>
                    <Button
                      size="small"
                      danger
                      disabled={group.items > 0}
                      title={group.items > 0 ? t('groups.inUse') : ''}
                      aria-label={t('groups.deleteOf', { name: nameOf(group.name) })}
                      onClick={() => setDeletes(group)}
                    >
                      {t('delete')}
                    </Button>
                  </span>
                )}
              </div>
            )}
          </Sortable>
        </Panel>
      )}
      {open !== null && <GroupDialog group={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {deletes && (
        <Confirm
          title={t('groups.deleteTitle', { name: nameOf(deletes.name) })}
          ok={t('delete')}
          danger
          run={() => call('deleteItemGroup', { params: { id: deletes.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('groups.deleted', { name: nameOf(deletes.name) }));
            setDeletes(null);
            void refresh('listItemGroups');
          }}
          onClose={() => setDeletes(null)}
        >
          <p>{t('groups.deleteText')}</p>
        </Confirm>
      )}
    </Page>
  );
}

function GroupDialog({ group, onClose }: { group: ItemGroupRow | null; onClose(): void }) {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { nameOf } = useNames();
  const id = useId();
  const [en, setEn] = useState(group?.name.en ?? '');
  const [zh, setZh] = useState(group?.name.zh ?? '');
  const body = { name: { en, zh } };
  return (
    <Confirm
      title={group ? t('groups.renameTitle', { name: nameOf(group.name) }) : t('groups.add')}
      ok={group ? common('save') : t('item.addOk')}
      entered={body}
      ready={en.trim() !== '' && zh.trim() !== ''}
      run={() =>
        group
          ? call('updateItemGroup', { params: { id: group.id }, body }, { quiet: true })
          : call('createItemGroup', { body }, { quiet: true })
      }
      onDone={() => {
        toast.success(t('groups.saved', { name: nameOf(body.name) }));
        onClose();
        void refresh('listItemGroups', 'listDataItems');
      }}
      onClose={onClose}
    >
      <Field id={`${id}-en`} label={t('nameEn')}>
        <Input
          id={`${id}-en`}
          value={en}
          maxLength={64}
          autoFocus
          autoComplete="off"
          onChange={(event) => setEn(event.target.value)}
        />
      </Field>
      <Field id={`${id}-zh`} label={t('nameZh')}>
        <Input
          id={`${id}-zh`}
          value={zh}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setZh(event.target.value)}
        />
      </Field>
    </Confirm>
  );
}
