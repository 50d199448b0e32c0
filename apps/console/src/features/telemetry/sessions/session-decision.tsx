import type { SessionDecision as Decision } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import css from '../runtime.module.css';

/** Who decided that the token of a session may charge, and why. */
export function SessionDecision({ decision }: { decision: Decision | null }) {
  const { t } = useTranslation('tokens');
  if (decision === null) return <Dash />;
  const { status, reason, level } = decision;
  return (
    <span className={`stack-tight ${css.decision}`}>
      <span>{t(`statuses.${status}`)}</span>
      <span className="quiet">
        {t(`reasons.${reason}`)}, {t(`by.${level}`)}
      </span>
    </span>
  );
}
