import { DEVICE_TYPES } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Input, Select } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import type { ListSpec } from '../../../shared/lib/lists/list-query.ts';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { DeviceTypeName } from '../../../shared/ui/tags/device-type.tsx';
import css from '../models.module.css';
import { useEditsModels } from '../names.ts';
import { ModelImport } from './dialogs/import-dialog.tsx';
import { NewModelDialog } from './dialogs/model-dialogs.tsx';

const filters = { search: 'text', type: 'number' } as const;
const SPEC: ListSpec<typeof filters, 'name'> = { filters, sorts: ['name'] };
/** Further models are found with the search. */
const SHOWN = 100;

/** All device models; the arrow keys move between them. */
export function ModelList({ open }: { open: number | null }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const edits = useEditsModels();
  const list = useListQuery(SPEC);
  const { search, type } = list.query;
  const { search: address } = useLocation();
  const typed = useTyped(search ?? '', (text) => list.change({ search: text || undefined }));
  const [dialog, setDialog] = useState<'new' | 'import' | null>(null);
  const models = useQuery({
    ...queryOf(
      'listDeviceModels',
      { query: { page: 1, pageSize: SHOWN, sort: 'name', search, type } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });

  return (
    <section className={css.modelList} aria-label={routes('deviceModel')}>
      <header>
        <h1>{routes('deviceModel')}</h1>
        {edits && (
          <span className="field-row">
            <Button size="small" onClick={() => setDialog('import')}>
              {t('import.open')}
            </Button>
            <Button size="small" type="primary" onClick={() => setDialog('new')}>
              {t('model.add')}
            </Button>
          </span>
        )}
      </header>
      <search className={css.modelListFilters}>
        <Input.Search
          allowClear
          value={typed.text}
          placeholder={t('model.search')}
          aria-label={t('model.search')}
          onChange={(event) => typed.type(event.target.value)}
          onSearch={typed.settleNow}
        />
        <Select<number>
          allowClear
          placeholder={t('deviceType')}
          aria-label={t('deviceType')}
          value={type}
          options={Object.keys(DEVICE_TYPES).map((key) => ({
            value: Number(key),
            label: common(`deviceType.${key as '1'}`),
          }))}
          onChange={(value) => list.change({ type: value })}
        />
      </search>
      {models.isError && !models.data ? (
        <ErrorState error={models.error} onRetry={() => void models.refetch()} />
      ) : !models.data ? (
        <SkeletonRows rows={8} />
      ) : models.data.items.length === 0 ? (
        <EmptyState text={list.filtered ? common('table.noMatch') : t('model.empty')} />
      ) : (
        <ul onKeyDown={walk}>
          {models.data.items.map((model) => (
            <li key={model.id}>
              <Link
                to={{ pathname: `/manage/device-model/${model.id}`, search: address }}
                aria-current={model.id === open ? 'page' : undefined}
              >
                <span className={css.modelName}>
                  {model.iconKey !== null && <Emblem of={model.iconKey} name={modelName(model.name)} size={18} />}
                  {modelName(model.name)}
                </span>
                <span className="quiet">
                  <DeviceTypeName type={model.type} />
                  {model.parentName !== null && ` · ${t('model.inherits', { name: modelName(model.parentName) })}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {models.data && models.data.total > models.data.items.length && (
        <p className={`quiet ${css.modelListMore}`}>
          {t('model.more', { count: models.data.total - models.data.items.length })}
        </p>
      )}
      {dialog === 'new' && <NewModelDialog onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ModelImport onClose={() => setDialog(null)} />}
    </section>
  );
}

function walk(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const;
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const next = (event.target as HTMLElement).closest('li')?.[step[event.key]]?.querySelector('a');
  if (!next) return;
  event.preventDefault();
  next.focus();
}
