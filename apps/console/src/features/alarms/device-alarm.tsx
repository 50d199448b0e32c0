import type { DeviceDetail } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../shared/api/query.ts';
import { lazyDialog } from '../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { useExplanations } from '../../shared/ui/explanations/use-explanations.ts';
import { AlarmLevel } from '../../shared/ui/tags/alarm-level.tsx';
import { Since } from '../../shared/ui/values/duration.tsx';
import { CodeName } from './alarm-marks.tsx';
import css from './alarms.module.css';
import { useAlarmRights } from './use-alarm-rights.ts';

const AcknowledgeDialog = lazyDialog(() => import('./alarm/acknowledge-dialog.tsx'));

/** The worst open alarm of a device: its age, what to do first, and who has it. Nothing without an open alarm. */
export function DeviceAlarm({ device: { id, activeAlarms } }: { device: DeviceDetail }) {
  const { t } = useTranslation('alarms');
  const rights = useAlarmRights();
  const query = { deviceId: id, state: 'open', suppressed: false, sort: '-level', limit: 10 } as const;
  const alarms = useQuery({ ...queryOf('listAlarms', { query }, { quiet: true }), enabled: activeAlarms > 0 });
  const [taking, setTaking] = useState(false);
  const worst = activeAlarms > 0 ? alarms.data?.items[0] : undefined;
  const explanationOf = useExplanations(
    DOCUMENT_TYPES.alarm,
    worst ? [worst.code] : [],
    worst ? worst.deviceModelId : null,
  );
  if (activeAlarms === 0) return null;
  // Its place while it is loaded.
  if (!worst) return <div className={css.deviceAlarm} />;
  const remedy = explanationOf(worst.code, worst.deviceModelId)?.description;
  return (
    <div className={css.deviceAlarm}>
      <AlarmLevel level={worst.level} />
      <span>
        <Link to={`?tab=details&section=alarms&alarm=${worst.id}`}>
          <CodeName of={worst} />
        </Link>{' '}
        <span className="quiet">
          <Since at={worst.raisedAt} />
        </span>
      </span>
      {worst.acknowledgedAt !== null ? (
        <span className="quiet">{t('acknowledgedBy', { name: worst.acknowledgedBy })}</span>
      ) : (
        rights.work && (
          <Button size="small" onClick={() => setTaking(true)}>
            {t('acknowledge.ok')}
          </Button>
        )
      )}
      {remedy && <p title={remedy}>{remedy}</p>}
      {taking && <AcknowledgeDialog ids={[worst.id]} onClose={() => setTaking(false)} />}
    </div>
  );
}
