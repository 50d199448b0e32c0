import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { PlainButton } from '../../shared/ui/states/plain-button.tsx';
import { PageFrame } from '../page-frame.tsx';
import { MessagePage } from './message-page.tsx';

/** The page of a route that is not built yet (see not-available.ts). */
export function NotAvailablePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <MessagePage
      code={t('notAvailable.code')}
      title={t('notAvailable.title')}
      text={t('notAvailable.text')}
      actions={<PlainButton onClick={() => navigate(-1)}>{t('error.back')}</PlainButton>}
    />
  );
}

/** The same, outside the shell. */
export function PublicNotAvailablePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <PageFrame>
      <MessagePage
        code={t('notAvailable.code')}
        title={t('notAvailable.title')}
        text={t('notAvailable.text')}
        actions={
          <PlainButton primary onClick={() => navigate('/login')}>
            {t('notAvailable.toLogin')}
          </PlainButton>
        }
      />
    </PageFrame>
  );
}
