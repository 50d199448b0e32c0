import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useTyped } from '../../../shared/hooks/use-typed.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Field } from '../field.tsx';

/** The known fields of an alias. One with an id exists already. */
export interface AliasDraft {
  id?: number;
  vendor?: string;
  model?: string;
  deviceModelId?: number | undefined;
  deviceModelName?: string;
}

/** Maps a reported name to a model. */
export function AliasDialog({ alias, onClose }: { alias: AliasDraft; onClose(): void }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const id = useId();
  const [vendor, setVendor] = useState(alias.vendor ?? '');
  const [model, setModel] = useState(alias.model ?? '');
  const [deviceModelId, setDeviceModelId] = useState(alias.deviceModelId);
  const [search, setSearch] = useState('');
  const typed = useTyped(search, setSearch);
  const models = useQuery({
    ...queryOf(
      'listDeviceModels',
      { query: { page: 1, pageSize: 50, sort: 'name', search: search || undefined } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const found = models.data?.items.map((one) => ({ value: one.id, label: modelName(one.name) })) ?? [];
  const known = alias.deviceModelId !== undefined && alias.deviceModelName !== undefined;
  const missing = known && !found.some(({ value }) => value === alias.deviceModelId);
  const options = missing
    ? [{ value: alias.deviceModelId!, label: modelName(alias.deviceModelName!) }, ...found]
    : found;

  return (
    <Confirm
      title={alias.id === undefined ? t('alias.add') : t('alias.edit')}
      ok={alias.id === undefined ? t('item.addOk') : common('save')}
      ready={vendor.trim() !== '' && model.trim() !== '' && deviceModelId !== undefined}
      entered={[vendor, model, deviceModelId]}
      run={async () => {
        const body = { vendor, model, deviceModelId: deviceModelId! };
        if (alias.id === undefined) await call('createModelAlias', { body }, { quiet: true });
        else await call('updateModelAlias', { params: { id: alias.id }, body }, { quiet: true });
      }}
      onDone={() => {
        toast.success(t('alias.saved', { name: `${vendor.trim()} ${model.trim()}` }));
        onClose();
        void refresh('listModelAliases', 'listUnmatchedNames');
      }}
      onClose={onClose}
    >
      <Field id={`${id}-vendor`} label={t('alias.vendor')}>
        <Input
          id={`${id}-vendor`}
          value={vendor}
          maxLength={50}
          autoFocus
          autoComplete="off"
          onChange={(event) => setVendor(event.target.value)}
        />
      </Field>
      <Field id={`${id}-model`} label={t('alias.model')}>
        <Input
          id={`${id}-model`}
          value={model}
          maxLength={50}
          autoComplete="off"
          onChange={(event) => setModel(event.target.value)}
        />
      </Field>
      <Field id={`${id}-device-model`} label={t('alias.standsFor')}>
        <Select<number>
          id={`${id}-device-model`}
          showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
          value={deviceModelId}
          options={options}
          placeholder={t('alias.choose')}
          onChange={setDeviceModelId}
        />
      </Field>
    </Confirm>
  );
}
