import type { ModelAliasRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { useEditsModels } from '../names.ts';
import { AliasDialog, type AliasDraft } from './alias-dialog.tsx';
import { UnmatchedNames } from './unmatched-names.tsx';
import '../models.module.css';

const filters = { search: 'text', deviceModelId: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'name' | 'createdAt'> = { filters, sorts: ['name', 'createdAt'] };

/** The names that devices report, and the models they are mapped to. */
export default function AliasPage() {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: routes } = useTranslation('routes');
  const edits = useEditsModels();
  const mayOpen = usePermitted(['auth_deviceModel']);
  const list = useList(SPEC, 'listModelAliases', (query) => ({ query }));
  const [open, setOpen] = useState<AliasDraft | null>(null);
  const [deletes, setDeletes] = useState<ModelAliasRow | null>(null);

  const buttons = (alias: ModelAliasRow) => (
    <span className="field-row">
      <Button size="small" aria-label={t('alias.editOf', { name: nameOf(alias) })} onClick={() => setOpen(alias)}>
        {t('edit')}
      </Button>
      <Button
        size="small"
        danger
        aria-label={t('alias.deleteOf', { name: nameOf(alias) })}
        onClick={() => setDeletes(alias)}
      >
        {t('delete')}
      </Button>
    </span>
  );
  const model = (alias: ModelAliasRow) =>
    mayOpen ? (
      <Link to={`/manage/device-model/${alias.deviceModelId}`}>{modelName(alias.deviceModelName)}</Link>
    ) : (
      modelName(alias.deviceModelName)
    );

  return (
    <ListPage
      title={routes('deviceModelAlias')}
      actions={
        edits && (
          <Button type="primary" onClick={() => setOpen({ deviceModelId: list.query.deviceModelId })}>
            {t('alias.add')}
          </Button>
        )
      }
      intro={<p className="quiet">{t('alias.hint')}</p>}
      list={list}
      search={t('alias.search')}
      filters={
        list.query.deviceModelId !== undefined && (
          <Button onClick={() => list.change({ deviceModelId: undefined })}>{t('alias.all')}</Button>
        )
      }
      empty={t('alias.empty')}
      columns={[
        { title: t('alias.vendor'), sortBy: 'name', dataIndex: 'vendor' },
        { title: t('alias.model'), dataIndex: 'model' },
        { title: t('alias.standsFor'), render: (_, alias) => model(alias) },
        { title: t('alias.since'), sortBy: 'createdAt', render: (_, alias) => <ExactTime at={alias.createdAt} /> },
      ]}
      rowActions={edits ? buttons : undefined}
      compact={(alias) => (
        <ListCard title={nameOf(alias)} aside={edits && buttons(alias)}>
          <CardLine>{model(alias)}</CardLine>
        </ListCard>
      )}
    >
      {/* Below the list, which it would move when it is loaded. */}
      {edits && <UnmatchedNames onAssign={setOpen} />}
      {open && <AliasDialog alias={open} onClose={() => setOpen(null)} />}
      {deletes && (
        <Confirm
          title={t('alias.deleteTitle', { name: nameOf(deletes) })}
          ok={t('delete')}
          danger
          run={() => call('deleteModelAlias', { params: { id: deletes.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('alias.deleted', { name: nameOf(deletes) }));
            setDeletes(null);
            void refresh('listModelAliases', 'listUnmatchedNames');
          }}
          onClose={() => setDeletes(null)}
        >
          <p>{t('alias.deleteText')}</p>
        </Confirm>
      )}
    </ListPage>
  );
}

function nameOf({ vendor, model }: { vendor: string; model: string }): string {
  return `${vendor} ${model}`;
}
