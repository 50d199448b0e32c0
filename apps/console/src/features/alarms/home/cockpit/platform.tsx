import { SLOW_POLL_MS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../../shared/api/query.ts';
import { useWaitingCount } from '../../../../shared/hooks/use-waiting-count.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { useUser } from '../../../../shared/session/use-user.ts';
import { Panel } from '../../../../shared/ui/page/page-header.tsx';
import { StatusGlyph } from '../../../../shared/ui/tags/status-glyph.tsx';
import css from '../home.module.css';

/** Waiting devices and the health of the platform, a line each, for administrators. */
export function Platform() {
  const { t } = useTranslation('home');
  const { user } = useUser();
  const administers = user.root || user.platformVendor;
  const seesWaiting = usePermitted(['auth_black_device']) && administers;
  const seesHealth = usePermitted(['auth_system_dashboard']) && administers;
  if (!seesWaiting && !seesHealth) return null;
  return (
    <Panel title={t('platform.title')}>
      <ul className={css.lines}>
        {seesHealth && <Health />}
        {seesWaiting && <Waiting />}
      </ul>
    </Panel>
  );
}

function Health() {
  const { t } = useTranslation('home');
  const { data } = useQuery({
    ...queryOf('countSystemProblems', {}, { quiet: true }),
    refetchInterval: SLOW_POLL_MS,
  });
  const [errors, warnings] = [data?.errors ?? 0, data?.warnings ?? 0];
  const tone = errors > 0 ? 'faulted' : warnings > 0 ? 'firmware-update' : 'idle';
  const text =
    errors + warnings > 0 ? t('platform.problems', { count: errors + warnings }) : data ? t('platform.works') : '·';
  return (
    <li>
      <Link to="/manage/system/dashboard" className={`${css.health} tag-${tone}`}>
        <StatusGlyph glyph={errors + warnings > 0 ? 'alert' : 'check'} />
        {text}
      </Link>
    </li>
  );
}

function Waiting() {
  const { t } = useTranslation('home');
  const count = useWaitingCount();
  return (
    <li>
      {count === 0 ? (
        <span className="quiet">{t('waiting.none')}</span>
      ) : (
        <Link to="/manage/system/list">{t('waiting.text', { count })}</Link>
      )}
    </li>
  );
}
