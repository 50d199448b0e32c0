import { holdsAll } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { pageParents, tabLabels } from '../../../shared/hooks/use-tab-label.ts';
import { useExternal } from '../../../shared/lib/external.ts';
import { holderOf, useSession } from '../../../shared/session/session.ts';
import { type Crumb, trailOf } from './trail.ts';
import './breadcrumbs.css';

/**
 * The way to a page below an entry of the sidebar: area, list, row. Until the name of the row is known, the title of its
 * page stands in its place. On a phone only the page before it is shown.
 */
export function Breadcrumbs() {
  const { t } = useTranslation();
  const { t: routes } = useTranslation('routes');
  const { pathname } = useLocation();
  const label = useExternal(tabLabels)[pathname];
  const parent = useExternal(pageParents)[pathname];
  const holder = holderOf(useSession());
  const textOf = ({ name, titleKey }: Crumb) => name ?? routes(titleKey);
  // An area with the name of its list, such as Messages, is shown once.
  const trail = trailOf(pathname, label, parent).filter((crumb, depth, all) => {
    const next = all[depth + 1];
    return next === undefined || crumb.name || next.name || textOf(next) !== textOf(crumb);
  });
  if (trail.length === 0) return null;
  const last = trail.length - 1;
  return (
    <nav className="breadcrumbs" aria-label={t('shell.breadcrumbs')}>
      <ol>
        {trail.map((crumb, depth) => {
          const text = textOf(crumb);
          const key = `${depth}`;
          if (depth === last) {
            return (
              <li key={key} aria-current="page" title={text}>
                {text}
              </li>
            );
          }
          const opens = holdsAll(holder, crumb.keys);
          return (
            <li key={key} title={text} data-parent={depth === last - 1 ? true : undefined}>
              {opens ? <Link to={crumb.path}>{text}</Link> : text}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
