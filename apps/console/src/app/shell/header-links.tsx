import { BookOutlined, ExclamationCircleOutlined, FolderOutlined, SettingOutlined } from '@ant-design/icons';
import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { holdsAll } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { queryOf } from '../../shared/api/query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { flatRoutes, MANAGE_ROUTES } from '../routes/index.ts';
import { SYSTEM_OVERVIEW, systemMenuOf, systemPageOf } from '../routes/system-menu.ts';

/** The daily work that is not in the sidebar (spec §2): the first page of each that the user may open. */
const DAILY = [
  { name: 'issues', area: '/manage/issue', icon: <ExclamationCircleOutlined />, pages: ['/manage/issue/list'] },
  {
    name: 'knowledge',
    area: '/manage/docs',
    icon: <BookOutlined />,
    pages: ['/manage/docs/home', '/manage/docs/search', '/manage/docs/list'],
  },
  { name: 'files', area: '/manage/attach', icon: <FolderOutlined />, pages: ['/manage/attach/list'] },
] as const;

const ROUTES = flatRoutes(MANAGE_ROUTES);

/** The links to issues, knowledge and files: in the header, and in the drawer of a phone. */
export function DailyLinks() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const holder = holderOf(useSession());
  return DAILY.map(({ name, area, icon, pages }) => {
    const to = pages.find((path) => holdsAll(holder, ROUTES.find((route) => route.path === path)?.keys ?? []));
    return (
      to && (
        <HeaderLink key={name} to={to} icon={icon} current={pathname.startsWith(`${area}/`)}>
          {t(`shell.${name}`)}
        </HeaderLink>
      )
    );
  });
}

/** The link to everything about the platform. Administrators see its problems as a dot. */
export function SystemLink() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { user } = useUser();
  const holder = holderOf(useSession());
  const watches = usePermitted(['auth_system_dashboard']) && (user.root || user.platformVendor);
  const { data } = useQuery({
    ...queryOf('countSystemProblems', {}, { quiet: true }),
    enabled: watches,
    refetchInterval: SLOW_POLL_MS,
  });
  const first = systemMenuOf(holder, user)[0]?.routes[0]?.path;
  if (first === undefined) return null;
  const { errors = 0, warnings = 0 } = data ?? {};
  const count = errors + warnings;
  const health = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'good';
  const problems = data && t(count > 0 ? 'shell.systemProblems' : 'shell.systemGood', { count });
  const overview = holdsAll(holder, ['auth_system']) ? SYSTEM_OVERVIEW : first;
  return (
    <HeaderLink
      to={count > 0 ? '/manage/system/dashboard' : overview}
      icon={<SettingOutlined />}
      current={systemPageOf(pathname) !== null}
      {...(problems && { note: problems, dot: health })}
    >
      {t('shell.system')}
    </HeaderLink>
  );
}

interface HeaderLinkProps {
  to: string;
  icon: ReactNode;
  current: boolean;
  children: string;
  /** what its dot means, in words */
  note?: string;
  dot?: string;
}

function HeaderLink({ to, icon, current, children, note, dot }: HeaderLinkProps) {
  const title = note === undefined ? children : `${children}: ${note}`;
  return (
    <Link to={to} className="header-link" aria-label={title} title={title} aria-current={current ? 'page' : undefined}>
      <span className="header-counted" aria-hidden="true">
        {icon}
        {dot && <span className="header-dot" data-health={dot} />}
      </span>
      <span className="header-link-name">{children}</span>
    </Link>
  );
}
