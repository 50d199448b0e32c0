import { ROLE_PRESETS, type RolePreset } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { RolePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { MenuButton } from '../../../shared/ui/menu/menu-button.tsx';
import css from '../people.module.css';

const PRESETS = Object.keys(ROLE_PRESETS) as RolePreset[];

type Props = Parameters<typeof RolePicker>[0];

/**
 * The role of a user. Users who may add roles can also choose a preset: the role with its name, which is added when it
 * does not exist.
 */
export function RoleField(props: Props) {
  const { t } = useTranslation('people');
  const { info } = useUser();
  const mayAdd = usePermitted(['auth_role_authData']) && info.user.platformVendor;
  if (!mayAdd) return <RolePicker {...props} />;
  return (
    <div className={css.roleField}>
      <RolePicker {...props} />
      <PresetMenu label={t('preset.choose')} onRole={(id) => props.onChange?.(id)} />
    </div>
  );
}

function PresetMenu({ label, onRole }: { label: string; onRole(id: number): void }) {
  const { t } = useTranslation('people');
  const roleNameOf = useRoleName();
  const choices = useQuery(queryOf('listRoleChoices', {}));
  const [busy, setBusy] = useState(false);

  async function choose(preset: RolePreset) {
    const name = ROLE_PRESETS[preset];
    const known = choices.data?.items.find((role) => role.name === name);
    if (known) return onRole(known.id);
    setBusy(true);
    try {
      const { id } = await call('createRole', { body: { name, preset } });
      await refresh('listRoles', 'listRoleChoices');
      onRole(id);
      toast.success(t('role.added', { name: roleNameOf(name) ?? name }));
    } finally {
      setBusy(false);
    }
  }

  const items = PRESETS.map((preset) => ({
    key: preset,
    label: t(`preset.${preset}`),
    // `call` has shown the error, and the role stays as it was.
    onClick: () => void choose(preset).catch(() => undefined),
  }));
  return (
    <MenuButton menu={{ items }} loading={busy} disabled={!choices.data}>
      {label}
    </MenuButton>
  );
}
