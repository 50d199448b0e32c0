import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router';
import { useWaitingCount } from '../../../shared/hooks/use-waiting-count.ts';
import { holderOf, useSession } from '../../../shared/session/session.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import type { TitleKey } from '../../routes/index.ts';
import { SYSTEM_OVERVIEW, systemMenuOf, systemPageOf } from '../../routes/system-menu.ts';
import css from './system.module.css';

/** The page that shows the number of waiting devices. */
const WAITING = '/manage/system/list';

/** *System*: the menu of the pages about the platform, in groups, next to one of them. */
export default function SystemFrame() {
  const { t } = useTranslation('welcome');
  const { t: titleOf } = useTranslation('routes');
  const { pathname } = useLocation();
  const { user } = useUser();
  const groups = systemMenuOf(holderOf(useSession()), user);
  const waiting = useWaitingCount();
  const current = systemPageOf(pathname);
  return (
    <div className={css.frame}>
      <nav className={css.menu} aria-label={titleOf('system')}>
        {groups.map(({ group, routes }) => (
          <div key={group}>
            <h2>{t(`systemMenu.${group}`)}</h2>
            <ul>
              {routes.map(({ path, titleKey }) => (
                <li key={path}>
                  <Link to={path} aria-current={path === current ? 'page' : undefined}>
                    <span>{titleOf(titleKey as TitleKey)}</span>
                    {path === WAITING && waiting > 0 && <span className={css.count}>{waiting}</span>}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={css.page} data-overview={current === SYSTEM_OVERVIEW}>
        <Outlet context={groups} />
      </div>
    </div>
  );
}
