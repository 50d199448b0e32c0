import { useTranslation } from 'react-i18next';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { AlarmTable } from './alarm-table.tsx';

/** Every alarm in scope. */
export default function AlarmListPage() {
  const { t } = useTranslation('routes');
  return (
    <Page title={t('alarms')}>
      <AlarmTable place={{}} />
    </Page>
  );
}
