import { holdsAll, type Levels } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLevelName } from '../../shared/i18n/use-level-name.ts';
import { useExternal } from '../../shared/lib/external.ts';
import { screens } from '../../shared/lib/screens.ts';
import { abilitiesOf } from '../../shared/session/abilities.ts';
import { isAmong } from '../../shared/session/is-among.ts';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import './welcome-page.module.css';

/** The first page of users without Home: their account, the pages that they can open, and what they can do there. */
export default function WelcomePage() {
  const { t } = useTranslation('welcome');
  const { t: people } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const levelName = useLevelName();
  const { user, info } = useUser();
  const holder = holderOf(useSession());
  const pages = useExternal(screens)
    .map((screen) => ({ ...screen, path: screen.path.replace(/\/:\w+\?/g, '') }))
    .filter(({ path, keys, who, listed }) => {
      const isPage = listed && keys.length > 0 && !path.endsWith('/welcome');
      return isPage && holdsAll(holder, keys) && isAmong(who, user);
    });
  const abilities = abilitiesOf({ ...holder, levels: info.role.levels as Levels }).filter(({ can }) => can);
  return (
    <section className="welcome">
      <h1>{t('title', { name: user.nickName || user.userName })}</h1>
      <dl>
        <dt>{t('userName')}</dt>
        <dd>{user.userName}</dd>
        <dt>{t('customer')}</dt>
        <dd>{user.customerName}</dd>
      </dl>
      {pages.length > 0 && (
        <>
          <h2>{t('pages')}</h2>
          <ul className="welcome-pages">
            {pages.map(({ path, titleKey }) => (
              <li key={path}>
                <Link to={path}>{routes(titleKey)}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {abilities.length > 0 && (
        <>
          <h2>{t('abilities')}</h2>
          <ul>
            {abilities.map(({ ability, from }) => (
              <li key={ability}>{people(`preview.${ability}`, { level: from === null ? '' : levelName(from) })}</li>
            ))}
          </ul>
        </>
      )}
      <p className="quiet">{t(pages.length > 0 ? 'missing' : 'nothing')}</p>
    </section>
  );
}
