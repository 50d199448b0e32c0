import { MenuFoldOutlined, MenuUnfoldOutlined, RightOutlined } from '@ant-design/icons';
import { type SidebarEntry, sidebarFor } from '@chargehand/domain';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { isAmong } from '../../shared/session/is-among.ts';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Logo, ProductName } from '../../shared/ui/page/logo.tsx';
import { flatRoutes, MANAGE_ROUTES, type TitleKey } from '../routes/index.ts';
import { DailyLinks, SystemLink } from './header-links.tsx';
import { RoutePicture } from './icons.tsx';
import './sidebar.css';

const ICONS = new Map(flatRoutes(MANAGE_ROUTES).map((route) => [route.path, route.icon]));

interface Props {
  collapsed: boolean;
  onCollapse(collapsed: boolean): void;
  /** closes the drawer on narrow screens */
  onClose(): void;
}

/** The sidebar: two groups with the routes that the user may open (spec §2). */
export function Sidebar({ collapsed, onCollapse, onClose }: Props) {
  const { t } = useTranslation();
  const session = useSession();
  const { user } = useUser();
  const entries = useMemo(
    () =>
      sidebarFor(
        holderOf(session),
        MANAGE_ROUTES.filter(({ who }) => isAmong(who, user)),
      ),
    [session, user],
  );
  return (
    <>
      <button
        type="button"
        className="sidebar-veil"
        aria-label={t('shell.closeMenu')}
        onClick={onClose}
        tabIndex={-1}
      />
      <aside className="sidebar">
        <Link to="/" className="sidebar-brand" title={t('shell.toHome')}>
          <Logo size={24} />
          <ProductName />
        </Link>
        <nav aria-label={t('shell.navigation')}>
          {([1, 2] as const).map((group) => {
            const inGroup = entries.filter((entry) => entry.group === group);
            if (inGroup.length === 0) return null;
            return (
              <div className="sidebar-group" key={group}>
                <p>{group === 1 ? t('shell.groupFleet') : t('shell.groupAdministration')}</p>
                <ul>
                  {inGroup.map((entry) => (
                    <Entry key={entry.path} entry={entry} collapsed={collapsed} />
                  ))}
                </ul>
              </div>
            );
          })}
          <div className="sidebar-group sidebar-daily">
            <DailyLinks />
            <SystemLink />
          </div>
        </nav>
        <button
          type="button"
          className="sidebar-collapse"
          onClick={() => onCollapse(!collapsed)}
          aria-label={collapsed ? t('shell.expand') : t('shell.collapse')}
          title={collapsed ? t('shell.expand') : t('shell.collapse')}
        >
          {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        </button>
      </aside>
    </>
  );
}

/**
 * One entry. A parent is expanded when it contains the page or the user expanded it. With only one child it is a plain
 * link.
 */
function Entry({ entry, collapsed }: { entry: SidebarEntry; collapsed: boolean }) {
  const { t } = useTranslation('routes');
  const { pathname } = useLocation();
  const root = linkOf(entry.path);
  const inside =
    pathname === root ||
    pathname.startsWith(`${root}/`) ||
    entry.children.some((child) => pathname.startsWith(linkOf(child.path)));
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? inside;
  const title = t(entry.titleKey as TitleKey);
  const children = childrenOf(entry);

  if (children.length < 2 || collapsed) {
    const to = children.length === 1 || collapsed ? linkOf(children[0]?.path ?? entry.path) : root;
    return (
      <li>
        <Link
          to={to}
          className="sidebar-entry"
          aria-current={inside ? 'page' : undefined}
          title={collapsed ? title : undefined}
        >
          <RoutePicture icon={ICONS.get(entry.path)} />
          <span>{title}</span>
        </Link>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        className="sidebar-entry"
        aria-expanded={open}
        data-inside={inside}
        onClick={() => setOpened(!open)}
      >
        <RoutePicture icon={ICONS.get(entry.path)} />
        <span>{title}</span>
        <RightOutlined className="sidebar-arrow" aria-hidden="true" />
      </button>
      {open && (
        <ul>
          {children.map((child) => (
            <li key={child.path}>
              <NavLink to={linkOf(child.path)} className="sidebar-entry sidebar-child" end={child.path === entry.path}>
                <span>{t(child.titleKey as TitleKey)}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The links below an entry. A parent with a page of its own is the first of them. */
function childrenOf(entry: SidebarEntry): SidebarEntry[] {
  if (entry.children.length === 0) return [];
  const route = flatRoutes(MANAGE_ROUTES).find((candidate) => candidate.path === entry.path);
  return route?.redirectTo ? entry.children : [{ ...entry, children: [] }, ...entry.children];
}

/** The path of a route whose parameters are all optional. */
function linkOf(path: string): string {
  return path.replace(/\/:\w+\?/g, '');
}
