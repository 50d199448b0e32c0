import type { DataItemRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Breakable } from '../../../shared/ui/values/breakable.tsx';
import css from '../models.module.css';
import { useNames } from '../names.ts';

/** A data item in the list: names, range, and the models that use it. */
export function ItemRow({ item, edits, onOpen }: { item: DataItemRow; edits: boolean; onOpen(): void }) {
  const { t } = useTranslation('models');
  const { nameOf, rangeOf } = useNames();
  const modelName = useModelName();
  const used = item.usedBy.map(({ name }) => modelName(name)).join('\n');
  const range = rangeOf(item.type, item.range);
  return (
    <div className={css.itemRow}>
      <div className="item-names">
        {edits ? (
          <button type="button" className="item-open" onClick={onOpen}>
            {nameOf(item.name)}
          </button>
        ) : (
          <span>{nameOf(item.name)}</span>
        )}
        <code>
          <Breakable text={item.key} />
        </code>
      </div>
      <span className={css.itemType}>{t(`itemType.${item.type}`)}</span>
      <span className={`${css.itemRange} mono`} title={range}>
        {range}
      </span>
      <span className={css.itemRowUnit}>{item.unit}</span>
      <span className={`${css.itemUsed} quiet`} title={used}>
        {item.usedBy.length > 0 && t('item.used', { count: item.usedBy.length })}
      </span>
      <ItemActions item={item} edits={edits} onOpen={onOpen} />
    </div>
  );
}

function ItemActions({ item, edits, onOpen }: { item: DataItemRow; edits: boolean; onOpen(): void }) {
  const { t } = useTranslation('models');
  const { nameOf } = useNames();
  const navigate = useNavigate();
  const mayLog = usePermitted(['auth_logs_action']);
  const [deletes, setDeletes] = useState(false);
  const name = nameOf(item.name);
  const entries = [
    edits && { key: 'edit', label: t('edit'), onClick: onOpen },
    mayLog && { key: 'log', label: t('history'), onClick: () => navigate(`/manage/logs/action/dataItem/${item.id}`) },
    edits && {
      key: 'delete',
      label: t('delete'),
      danger: true,
      disabled: item.usedBy.length > 0,
      title: item.usedBy.length > 0 ? t('item.inUse') : '',
      onClick: () => setDeletes(true),
    },
  ].filter((entry) => entry !== false);
  if (entries.length === 0) return null;
  return (
    <>
      <MoreMenu items={entries} label={t('actionsOf', { name: item.key })} size="small" />
      {deletes && (
        <Confirm
          title={t('item.deleteTitle', { name })}
          ok={t('delete')}
          danger
          run={() => call('deleteDataItem', { params: { id: item.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('item.deleted', { name }));
            setDeletes(false);
            void refresh('listDataItems', 'listItemGroups');
          }}
          onClose={() => setDeletes(false)}
        >
          <p>{t('item.deleteText')}</p>
        </Confirm>
      )}
    </>
  );
}
