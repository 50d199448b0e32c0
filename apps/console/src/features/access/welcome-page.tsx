import { useTranslation } from 'react-i18next';
import { useUser } from '../../shared/session/use-user.ts';
import './welcome-page.module.css';

/** Where somebody lands who may not see Home: who they are here, and where to begin. */
export default function WelcomePage() {
  const { t } = useTranslation('access');
  const { user } = useUser();
  return (
    <section className="welcome">
      <h1>{t('welcome.title', { name: user.nickName || user.userName })}</h1>
      <p>{t('welcome.text')}</p>
      <dl>
        <dt>{t('welcome.userName')}</dt>
        <dd>{user.userName}</dd>
        <dt>{t('welcome.customer')}</dt>
        <dd>{user.customerName}</dd>
      </dl>
    </section>
  );
}
