import {
  BulbOutlined,
  DownOutlined,
  GlobalOutlined,
  LogoutOutlined,
  MenuOutlined,
  UserOutlined,
} from '@ant-design/icons';
import type { ThemeChoice } from '@chargehand/contract';
import { LOCALES, THEMES } from '@chargehand/contract/constants';
import { holdsAll } from '@chargehand/domain';
import { Button, type MenuProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { signOut } from '../../shared/session/account.ts';
import { type Preferences, prefer } from '../../shared/session/preferences.ts';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { useThemeChoice } from '../../shared/theme/theme.ts';
import { MenuButton } from '../../shared/ui/menu/menu-button.tsx';
import { Emblem } from '../../shared/ui/pictures/stored-picture.tsx';
import { SearchButton } from '../search/search-button.tsx';
import { LiveIndicator } from './banners/live-indicator.tsx';
import { Bell } from './bell/bell.tsx';
import { DailyLinks, SystemLink } from './header-links.tsx';
import { HelpButton } from './help/help-button.tsx';
import './header.css';

/** The header of every page: search, daily work, connection state and user; on a phone also the visited pages. */
export function Header({ onMenu, children }: { onMenu(): void; children?: ReactNode }) {
  const { t } = useTranslation();
  const narrow = useMedia('(max-width: 760px)');
  return (
    <header className="header">
      <Button
        className="header-menu"
        type="text"
        icon={<MenuOutlined />}
        aria-label={t('shell.openMenu')}
        onClick={onMenu}
      />
      <SearchButton />
      <div className="header-tools">
        <nav className="header-links" aria-label={t('shell.daily')}>
          {!narrow && <DailyLinks />}
          <Bell />
          {!narrow && <SystemLink />}
        </nav>
        <LiveIndicator />
        {children}
        <HelpButton />
        <LanguageMenu />
        {!narrow && <ThemeMenu />}
        <UserMenu themes={narrow} />
      </div>
    </header>
  );
}

/** Applies a preference. A toast reports when it could not be saved to the account. */
function choose(choice: Preferences): void {
  prefer(choice).catch((error: unknown) => console.warn('The preference could not be saved', error));
}

function LanguageMenu() {
  const { t } = useTranslation();
  const { info } = useUser();
  const locale = useLocale();
  if (!info.settings.languageSwitch) return null;
  const items: MenuProps['items'] = LOCALES.map((key) => ({ key, label: t(`language.${key}`) }));
  return (
    <MenuButton
      menu={{ items, selectedKeys: [locale], onClick: ({ key }) => choose({ locale: key as typeof locale }) }}
      type="text"
      icon={<GlobalOutlined />}
      aria-label={t('shell.language')}
      title={t('shell.language')}
    />
  );
}

function ThemeMenu() {
  const { t } = useTranslation();
  const choice = useThemeChoice();
  const items: MenuProps['items'] = THEMES.map((key) => ({ key, label: t(`theme.${key}`) }));
  return (
    <MenuButton
      menu={{ items, selectedKeys: [choice], onClick: ({ key }) => choose({ theme: key as ThemeChoice }) }}
      type="text"
      icon={<BulbOutlined />}
      aria-label={t('shell.theme')}
      title={t('shell.theme')}
    />
  );
}

/** @param themes on phones, whose header has no room for a menu of its own */
function UserMenu({ themes }: { themes: boolean }) {
  const { t } = useTranslation();
  const { user } = useUser();
  const navigate = useNavigate();
  const theme = useThemeChoice();
  const mayMy = holdsAll(holderOf(useSession()), ['auth_my']);
  const items: MenuProps['items'] = [
    { key: 'who', type: 'group', label: `${user.userName} · ${user.customerName}` },
    ...(mayMy ? [{ key: 'my', icon: <UserOutlined aria-hidden="true" />, label: t('shell.my') }] : []),
    ...(themes
      ? [
          {
            key: 'theme',
            icon: <BulbOutlined aria-hidden="true" />,
            label: t('shell.theme'),
            children: THEMES.map((key) => ({ key: `theme.${key}`, label: t(`theme.${key}`) })),
          },
        ]
      : []),
    { key: 'signOut', icon: <LogoutOutlined aria-hidden="true" />, label: t('shell.signOut') },
  ];
  async function chosen(key: string) {
    const next = THEMES.find((one) => key === `theme.${one}`);
    if (next) return choose({ theme: next });
    if (key === 'my') return navigate('/manage/my');
    await signOut();
    await navigate('/login');
  }
  return (
    <MenuButton
      menu={{ items, selectedKeys: [`theme.${theme}`], onClick: ({ key }) => void chosen(key) }}
      type="text"
      className="header-user"
      aria-label={t('shell.account', { name: user.userName })}
    >
      <span className="header-user-name">{user.nickName || user.userName}</span>
      <Emblem of={user.avatar} name={user.nickName || user.userName} size={22} round />
      <DownOutlined aria-hidden="true" />
    </MenuButton>
  );
}
