import { useTranslation } from 'react-i18next';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { LinkList } from './link-list.tsx';

/** The links to all devices in scope. */
export default function LinkListPage() {
  const { t } = useTranslation('links');
  const { t: routes } = useTranslation('routes');
  return (
    <Page title={routes('deviceLinks')}>
      <p className="quiet">{t('hint')}</p>
      <LinkList of={{}} />
    </Page>
  );
}
