import type { DeviceModelDetail } from '@chargehand/contract';
import { DEVICE_TYPES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../../shared/api/query.ts';
import { useModelName } from '../../../../shared/i18n/use-model-name.ts';
import { Confirm } from '../../../../shared/ui/dialogs/confirm.tsx';
import { useOwnNavigate } from '../../../../shared/ui/dialogs/own-navigate.ts';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { Field } from '../../field.tsx';

/** Creates a model with name, kind and parent, and opens it. */
export function NewModelDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const { t: common } = useTranslation();
  const navigate = useOwnNavigate();
  const id = useId();
  const [name, setName] = useState('');
  const [vendor, setVendor] = useState('');
  const [type, setType] = useState(1);
  const [parentId, setParentId] = useState<number | null>(null);
  const models = useQuery(
    queryOf('listDeviceModels', { query: { page: 1, pageSize: 100, sort: 'name' } }, { quiet: true }),
  );
  return (
    <Confirm
      title={t('model.add')}
      ok={t('item.addOk')}
      ready={name.trim() !== ''}
      entered={[name, vendor, type, parentId]}
      run={() => call('createDeviceModel', { body: { name, vendor, type, parentId } }, { quiet: true })}
      onDone={(made) => {
        void refresh('listDeviceModels');
        navigate(`/manage/device-model/${made.id}`);
        toast.success(t('model.added', { name: name.trim() }));
        onClose();
      }}
      onClose={onClose}
    >
      <Field id={`${id}-name`} label={t('name')}>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={64}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field id={`${id}-vendor`} label={t('vendor')}>
        <Input
          id={`${id}-vendor`}
          value={vendor}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setVendor(event.target.value)}
        />
      </Field>
      <Field id={`${id}-type`} label={t('deviceType')}>
        <Select<number>
          id={`${id}-type`}
          value={type}
          options={Object.keys(DEVICE_TYPES).map((key) => ({
            value: Number(key),
            label: common(`deviceType.${key as '1'}`),
          }))}
          onChange={setType}
        />
      </Field>
      <Field id={`${id}-parent`} label={t('parent')} hint={t('parentHint')}>
        <Select<number>
          id={`${id}-parent`}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={parentId}
          placeholder={t('noParent')}
          options={models.data?.items.map((model) => ({ value: model.id, label: modelName(model.name) })) ?? []}
          onChange={(next: number | undefined) => setParentId(next ?? null)}
        />
      </Field>
    </Confirm>
  );
}

/** Creates a copy of a model and opens it. */
export function CopyModelDialog({ model, onClose }: { model: DeviceModelDetail; onClose(): void }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const navigate = useOwnNavigate();
  const id = useId();
  const [name, setName] = useState(t('model.copyName', { name: modelName(model.name) }));
  return (
    <Confirm
      title={t('model.copyTitle', { name: modelName(model.name) })}
      ok={t('model.copy')}
      ready={name.trim() !== ''}
      entered={name}
      run={() => call('copyDeviceModel', { params: { id: model.id }, body: { name } }, { quiet: true })}
      onDone={(made) => {
        void refresh('listDeviceModels');
        navigate(`/manage/device-model/${made.id}`);
        toast.success(t('model.added', { name: name.trim() }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t('model.copyText')}</p>
      <Field id={`${id}-name`} label={t('name')}>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={64}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </Confirm>
  );
}

export function DeleteModelDialog({ model, onClose }: { model: DeviceModelDetail; onClose(): void }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const navigate = useNavigate();
  return (
    <Confirm
      title={t('model.deleteTitle', { name: modelName(model.name) })}
      ok={t('delete')}
      danger
      run={() => call('deleteDeviceModel', { params: { id: model.id } }, { quiet: true })}
      onDone={() => {
        toast.success(t('model.deleted', { name: modelName(model.name) }));
        navigate('/manage/device-model');
        void refresh('listDeviceModels', 'listDataItems');
      }}
      onClose={onClose}
    >
      <p>{t('model.deleteText')}</p>
    </Confirm>
  );
}
