import type { DataItemRow, ItemGroupRow } from '@chargehand/contract';
import { type ItemType, isProtocolKey, parseRange } from '@chargehand/domain';
import { Input, Segmented, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Field } from '../field.tsx';
import css from '../models.module.css';
import { useNames } from '../names.ts';
import { RangeEditor } from '../range-editor.tsx';

const TYPES: readonly ItemType[] = [1, 2, 3, 4];

interface Props {
  /** the item to change; null for a new one */
  item: DataItemRow | null;
  groups: readonly ItemGroupRow[];
  /** the preselected group of a new item */
  firstGroup: number | undefined;
  onClose(): void;
}

/** The form of a data item, with a preview of its range. */
export function ItemDialog({ item, groups, firstGroup, onClose }: Props) {
  const { t } = useTranslation('models');
  const { t: common } = useTranslation();
  const { nameOf } = useNames();
  const id = useId();
  const [key, setKey] = useState(item?.key ?? '');
  const [en, setEn] = useState(item?.name.en ?? '');
  const [zh, setZh] = useState(item?.name.zh ?? '');
  const [groupId, setGroupId] = useState(item?.groupId ?? firstGroup ?? groups[0]?.id ?? 0);
  const [type, setType] = useState<ItemType>(item?.type ?? 1);
  const [range, setRange] = useState(item?.range ?? '');
  const [unit, setUnit] = useState(item?.unit ?? '');
  const used = item !== null && item.usedBy.length > 0;
  const keyFits = isProtocolKey(key.trim());
  const ready = keyFits && en.trim() !== '' && zh.trim() !== '' && parseRange(type, range).problem === null;
  const body = { key: key.trim(), name: { en, zh }, groupId, type, range, unit };

  return (
    <Confirm
      title={item ? t('item.editTitle', { name: nameOf(item.name) }) : t('item.add')}
      ok={item ? common('save') : t('item.addOk')}
      width={760}
      ready={ready}
      entered={body}
      run={() =>
        item
          ? call('updateDataItem', { params: { id: item.id }, body }, { quiet: true })
          : call('createDataItem', { body }, { quiet: true })
      }
      onDone={() => {
        toast.success(t(item ? 'item.saved' : 'item.added', { name: nameOf(body.name) }));
        onClose();
        void refresh('listDataItems', 'listItemGroups', 'readDeviceModel');
      }}
      onClose={onClose}
    >
      <div className={css.modelFields}>
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
        <Field
          id={`${id}-key`}
          label={t('key')}
          hint={key !== '' && !keyFits ? undefined : t('item.keyHint')}
          fault={key !== '' && !keyFits ? t('item.keyFormat') : undefined}
        >
          <Input
            id={`${id}-key`}
            className="mono"
            value={key}
            maxLength={100}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setKey(event.target.value)}
          />
        </Field>
        <Field id={`${id}-group`} label={t('group')}>
          <Select<number>
            id={`${id}-group`}
            value={groupId}
            options={groups.map((group) => ({ value: group.id, label: nameOf(group.name) }))}
            onChange={setGroupId}
          />
        </Field>
        <Field id={`${id}-type`} label={t('type')} hint={used ? t('item.typeFixed') : undefined}>
          <Segmented<ItemType>
            className={css.modelChoice}
            id={`${id}-type`}
            disabled={used}
            value={type}
            aria-label={t('type')}
            options={TYPES.map((value) => ({ value, label: t(`itemType.${value}`) }))}
            onChange={(next) => {
              setType(next);
              setRange('');
            }}
          />
        </Field>
        <Field id={`${id}-unit`} label={t('unit')}>
          <Input
            id={`${id}-unit`}
            value={unit}
            maxLength={16}
            autoComplete="off"
            onChange={(event) => setUnit(event.target.value)}
          />
        </Field>
        <Field
          id={`${id}-range`}
          label={t(type === 4 ? 'range.enumeration' : type === 3 ? 'range.length' : 'range.label')}
          wide
        >
          <RangeEditor id={`${id}-range`} type={type} unit={unit} value={range} onChange={setRange} />
        </Field>
      </div>
    </Confirm>
  );
}
