import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useOutletContext } from 'react-router';
import type welcomeWords from '../../../locales/en-US/welcome.json';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import css from './system.module.css';

/** The menu of *System* for this user, from its frame. */
type SystemGroups = readonly {
  group: keyof typeof welcomeWords.systemMenu;
  routes: readonly { path: string; titleKey: keyof typeof welcomeWords.systemPages }[];
}[];

/** The first page of *System*: whether the platform works, and what each page is for. */
export default function SystemOverview() {
  const { t } = useTranslation('welcome');
  const { t: titleOf } = useTranslation('routes');
  const groups = useOutletContext<SystemGroups>();
  return (
    <Page title={titleOf('system')} note={<Health />}>
      <div className={css.groups}>
        {groups.map(({ group, routes }) => (
          <Panel key={group} title={t(`systemMenu.${group}`)}>
            <ul className={css.pages}>
              {routes.map(({ path, titleKey }) => (
                <li key={path}>
                  <Link to={path}>{titleOf(titleKey)}</Link>
                  <p>{t(`systemPages.${titleKey}`)}</p>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </Page>
  );
}

/** The number of problems of the platform, for those who may read them. */
function Health() {
  const { t } = useTranslation();
  const { user } = useUser();
  const watches = usePermitted(['auth_system_dashboard']) && (user.root || user.platformVendor);
  const { data } = useQuery({ ...queryOf('countSystemProblems', {}, { quiet: true }), enabled: watches });
  if (!data) return null;
  const count = data.errors + data.warnings;
  return (
    <Link to="/manage/system/dashboard" className={css.health} data-health={count > 0 ? 'bad' : 'good'}>
      {t(count > 0 ? 'shell.systemProblems' : 'shell.systemGood', { count })}
    </Link>
  );
}
