import type { RoleRow } from '@chargehand/contract';
import { ROLE_PRESETS, type RolePreset } from '@chargehand/domain';
import { Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { useOwnNavigate } from '../../../shared/ui/dialogs/own-navigate.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Creates a role, empty, from a preset or as a copy, and opens its authorization. */
export function NewRoleDialog({ original, onClose }: { original?: RoleRow; onClose(): void }) {
  const { t } = useTranslation('people');
  const navigate = useOwnNavigate();
  const [name, setName] = useState(original ? t('role.copyName', { name: original.name }) : '');
  const [start, setStart] = useState<RolePreset | 'none'>('none');
  const startId = useId();
  return (
    <Confirm
      title={original ? t('role.copyTitle', { name: original.name }) : t('role.add')}
      ok={original ? t('role.copy') : t('role.addOk')}
      entered={name}
      ready={name.trim() !== ''}
      run={async () => {
        const preset = start === 'none' ? {} : { preset: start };
        const body = original ? { name, copyOf: original.id } : { name, ...preset };
        return await call('createRole', { body }, { quiet: true });
      }}
      onDone={({ id }) => {
        void refresh('listRoles', 'listRoleChoices');
        navigate(`/manage/role/auth/data/${id}`);
        toast.success(t('role.added', { name: name.trim() }));
        onClose();
      }}
      onClose={onClose}
    >
      <p>{original ? t('role.copyText') : t('role.addText')}</p>
      <NameField name={name} onChange={setName} />
      {!original && (
        <>
          <p id={startId}>{t('preset.label')}</p>
          <Radio.Group
            aria-labelledby={startId}
            vertical
            value={start}
            options={(['none', ...PRESETS] as const).map((value) => ({ value, label: t(`preset.${value}`) }))}
            onChange={(event) => setStart(event.target.value as typeof start)}
          />
          <p className="quiet">{t('preset.hint')}</p>
        </>
      )}
    </Confirm>
  );
}

const PRESETS = Object.keys(ROLE_PRESETS) as RolePreset[];

export function RenameRoleDialog({ role, onClose }: { role: RoleRow; onClose(): void }) {
  const shown = useRoleName()(role.name);
  const { t } = useTranslation('people');
  const [name, setName] = useState(shown);
  return (
    <Confirm
      title={t('role.renameTitle', { name: shown })}
      ok={t('role.rename')}
      entered={name}
      ready={name.trim() !== '' && name.trim() !== shown}
      run={() => call('renameRole', { params: { id: role.id }, body: { name } }, { quiet: true })}
      onDone={() => {
        void refresh('listRoles', 'readRole', 'listRoleChoices', 'listUsers', 'readUser');
        onClose();
      }}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
    </Confirm>
  );
}

export function DeleteRoleDialog({ role, onClose }: { role: RoleRow; onClose(): void }) {
  const shown = useRoleName()(role.name);
  const { t } = useTranslation('people');
  return (
    <Confirm
      title={t('role.deleteTitle', { name: shown })}
      ok={t('delete')}
      danger
      ready={role.users === 0}
      run={() => call('deleteRole', { params: { id: role.id } }, { quiet: true })}
      onDone={() => {
        toast.success(t('role.deleted', { name: shown }));
        void refresh('listRoles', 'listRoleChoices');
        onClose();
      }}
      onClose={onClose}
    >
      <p>{role.users === 0 ? t('role.deleteText') : t('role.deleteInUse', { count: role.users })}</p>
    </Confirm>
  );
}

function NameField({ name, onChange }: { name: string; onChange(name: string): void }) {
  const { t } = useTranslation('people');
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{t('name')}</label>
      <Input
        id={id}
        value={name}
        maxLength={64}
        autoComplete="off"
        autoFocus
        onChange={(e) => onChange(e.target.value)}
      />
    </>
  );
}
