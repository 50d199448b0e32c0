import { ROLE_PRESETS, type RolePreset } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { RolePicker } from '../../../shared/ui/list-page/pickers.tsx';
import { MenuButton } from '../../../shared/ui/menu/menu-button.tsx';
import css from '../people.module.css';

const PRESETS = Object.keys(ROLE_PRESETS) as RolePreset[];
/** The value of the picker while the chosen role does not exist yet. */
const NEW_ROLE = -1;

/** The id of a role, or the preset of one that is added with the user. */
export type RoleChoice = number | RolePreset;

type Props = Omit<Parameters<typeof RolePicker>[0], 'value' | 'onChange'> & {
  value?: RoleChoice;
  onChange?: (role: RoleChoice | undefined) => void;
};

/**
 * The role of a user. Users who may add roles can also choose a preset: the role with its name, which is added together
 * with the user when it does not exist.
 */
export function RoleField({ value, onChange, ...props }: Props) {
  const { t } = useTranslation('people');
  const roleNameOf = useRoleName();
  const { info } = useUser();
  const mayAdd = usePermitted(['auth_role_authData']) && info.user.platformVendor;
  const added = typeof value === 'string' ? (roleNameOf(ROLE_PRESETS[value]) ?? undefined) : undefined;
  const picker = (
    <RolePicker
      {...props}
      {...(added === undefined ? {} : { knownAs: added })}
      value={typeof value === 'string' ? NEW_ROLE : value}
      // Its own entry is in the list too.
      onChange={(id) => id !== NEW_ROLE && onChange?.(id)}
    />
  );
  if (!mayAdd) return picker;
  return (
    <div className={css.roleField}>
      {picker}
      <PresetMenu label={t('preset.choose')} onChoose={(role) => onChange?.(role)} />
      {added !== undefined && (
        <p className={css.roleAdded} role="status">
          {t('preset.added', { name: added })}
        </p>
      )}
    </div>
  );
}

function PresetMenu({ label, onChoose }: { label: string; onChoose(role: RoleChoice): void }) {
  const { t } = useTranslation('people');
  const choices = useQuery(queryOf('listRoleChoices', {}));
  const known = (preset: RolePreset) => choices.data?.items.find((role) => role.name === ROLE_PRESETS[preset])?.id;
  const items = PRESETS.map((preset) => ({
    key: preset,
    label: t(`preset.${preset}`),
    onClick: () => onChoose(known(preset) ?? preset),
  }));
  return (
    <MenuButton menu={{ items }} disabled={!choices.data}>
      {label}
    </MenuButton>
  );
}
