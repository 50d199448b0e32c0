import { useTranslation } from 'react-i18next';
import { useUser } from '../../shared/session/use-user.ts';
import './welcome-page.module.css';

/** The landing page of users who may not open Home: their account, and where to start. */
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
