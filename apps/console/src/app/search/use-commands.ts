import { pinyin } from 'virtual:pinyin';
import type { CommandKind, Levels } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import english from '../../locales/en-US/search.json';
import chinese from '../../locales/zh-CN/search.json';
import { CHOOSE_FIRST } from '../../shared/hooks/lists/use-choose-first.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { abilitiesOf } from '../../shared/session/abilities.ts';
import { signOut } from '../../shared/session/account.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { type Preferences, prefer } from '../../shared/session/preferences.ts';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import type { Entry } from './entries.ts';
import type { Named } from './match-names.ts';

type CommandName = keyof typeof english.command;

/** A command on a device, which the page of the device confirms and sends. It has the name that it has there. */
export interface DeviceCommand extends Named {
  name: CommandName;
  title: string;
  kind: CommandKind;
}

const ON_DEVICES: readonly { name: CommandName; kind: CommandKind; also: readonly string[] }[] = [
  {
    name: 'restart',
    kind: 'softReset',
    also: ['restart', 'restart device', 'reset', 'reboot', '重启', '重启设备', 'chongqi'],
  },
  { name: 'refreshConfiguration', kind: 'refreshConfiguration', also: ['read configuration', '读取配置'] },
];

/** What the user may do from the search: commands of the console, and commands on a device. */
export function useCommands(): { own: readonly (Entry & Named)[]; onDevices: readonly DeviceCommand[] } {
  const { t } = useTranslation('search');
  const { user, info } = useUser();
  const holder = holderOf(useSession());
  const locale = useLocale();
  const navigate = useNavigate();
  const command = (name: CommandName, run: () => void): Entry & Named => ({
    ...{ key: `command:${name}`, title: t(`command.${name}`), run },
    names: namesOf(name),
  });
  const other = locale === 'zh-CN' ? 'en-US' : 'zh-CN';
  const maySend = usePermitted(['auth_device_list', 'auth_device_detail'], 'and') && !user.readOnly;
  const several = command('controlSeveral', () => navigate('/manage/device/list', { state: CHOOSE_FIRST }));
  const own = [
    ...(maySend ? [{ ...several, names: [...several.names, 'batch', 'bulk', '批量控制', 'piliang', 'plkz'] }] : []),
    command('themeLight', () => choose({ theme: 'light' })),
    command('themeDark', () => choose({ theme: 'dark' })),
    command('themeSystem', () => choose({ theme: 'system' })),
    ...(info.settings.languageSwitch ? [command('switchLanguage', () => choose({ locale: other }))] : []),
    command('signOut', () => void signOut().then(() => navigate('/login'))),
  ];
  const mayControl =
    !user.readOnly &&
    info.viewing === null &&
    abilitiesOf({ ...holder, levels: info.role.levels as Levels }).some(
      ({ ability, can }) => ability === 'control' && can,
    );
  const onDevices = mayControl
    ? ON_DEVICES.map(({ name, kind, also }) => ({
        ...{ name, kind, title: t(`command.${name}`) },
        names: [...namesOf(name), ...also],
      }))
    : [];
  return { own, onDevices };
}

function namesOf(name: CommandName): string[] {
  return [english.command[name], chinese.command[name], ...(pinyin.commands[name] ?? '').split(' ')];
}

/** Applies a preference. A toast reports when it could not be saved to the account. */
function choose(choice: Preferences): void {
  prefer(choice).catch((error: unknown) => console.warn('The preference could not be saved', error));
}
