import type { DataItemRow } from '@chargehand/contract';
import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../../shared/ui/states/empty-state.tsx';
import { chosenRows } from '../../../../shared/ui/table/chosen-rows.tsx';
import { Table } from '../../../../shared/ui/table/table.tsx';
import { useNames } from '../../names.ts';

interface Props {
  /** items that the model does not have yet */
  items: readonly DataItemRow[];
  groupNames: ReadonlyMap<number, string>;
  onAdd(ids: number[]): void;
  onClose(): void;
}

/** Selects data items to add to a model. */
export function AddItemsDialog({ items, groupNames, onAdd, onClose }: Props) {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { nameOf } = useNames();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const text = search.trim().toLowerCase();
  const shown = items.filter(
    (item) =>
      text === '' ||
      `${item.key} ${item.name.en} ${item.name.zh} ${groupNames.get(item.groupId)}`.toLowerCase().includes(text),
  );
  return (
    <Dialog
      title={t('items.add')}
      okText={t('items.addOk', { count: chosen.length })}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: chosen.length === 0 }}
      onOk={() => {
        onAdd([...chosen]);
        onClose();
      }}
      onCancel={onClose}
      width={720}
    >
      <div className="dialog-text">
        <Input.Search
          autoFocus
          allowClear
          value={search}
          placeholder={t('item.search')}
          aria-label={t('item.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Table<DataItemRow>
          label={t('items.add')}
          scrollHeight={360}
          rows={shown}
          empty={<EmptyState text={t('items.noMatch')} />}
          columns={[
            chosenRows({
              rows: shown,
              keyOf: ({ id }) => id,
              chosen,
              onChange: setChosen,
              labels: { all: t('chooseAll'), of: ({ name }) => t('choose', { name: nameOf(name) }) },
            }),
            {
              title: t('name'),
              render: (_, item) => (
                <div className="item-names">
                  <span>{nameOf(item.name)}</span>
                  <code>{item.key}</code>
                </div>
              ),
            },
            { title: t('group'), width: 140, render: (_, item) => groupNames.get(item.groupId) },
            { title: t('type'), width: 100, render: (_, item) => t(`itemType.${item.type}`) },
          ]}
        />
      </div>
    </Dialog>
  );
}
