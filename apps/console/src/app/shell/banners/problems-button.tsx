import { WarningOutlined } from '@ant-design/icons';
import { POLL_MS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';

/** The number of problems of the installation, for users who may open the dashboard of the system. Hidden without one. */
export function ProblemsButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useUser();
  const permitted = usePermitted(['auth_system_dashboard']);
  const { data } = useQuery({
    ...queryOf('countSystemProblems', {}, { quiet: true }),
    enabled: permitted && (user.root || user.platformVendor),
    refetchInterval: POLL_MS,
  });
  const { errors = 0, warnings = 0 } = data ?? {};
  const count = errors + warnings;
  if (count === 0) return null;
  const label = t('shell.counted', { title: t('shell.problems'), count });
  return (
    <Button
      type="text"
      icon={
        <span className="header-counted">
          <WarningOutlined />
          <span className="header-count" data-count={count} data-tone={errors > 0 ? 'error' : 'warning'} />
        </span>
      }
      aria-label={label}
      title={label}
      onClick={() => navigate('/manage/system/dashboard')}
    />
  );
}
