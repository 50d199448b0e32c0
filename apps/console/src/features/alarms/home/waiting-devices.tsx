import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWaitingCount } from '../../../shared/hooks/use-waiting-count.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';

/** Devices waiting for registration; nothing when there are none. */
export function WaitingDevices() {
  const { t } = useTranslation('home');
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <Panel title={t('waiting.title')}>
      <Link to="/manage/system/list">{t('waiting.text', { count })}</Link>
    </Panel>
  );
}
