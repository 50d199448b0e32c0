import { BELL_ROWS } from '@chargehand/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../shared/api/query.ts';
import { BellRow, BellSection, type BellSectionProps } from '../../shared/ui/bell/bell-section.tsx';
import { AlarmLevel } from '../../shared/ui/tags/alarm-level.tsx';
import { DeviceLink, SiteLink } from '../../shared/ui/values/place-link.tsx';
import AcknowledgeDialog from './alarm/acknowledge-dialog.tsx';
import { AlarmLasted, CodeName, ConnectorName } from './alarm-marks.tsx';
import { alarmsPath } from './home/paths.ts';
import { useAlarmRights } from './use-alarm-rights.ts';

/** The newest open alarms that nobody has acknowledged, each with a button to acknowledge it. */
export default function BellAlarms({ since }: BellSectionProps) {
  const { t } = useTranslation('bell');
  const { t: alarms } = useTranslation('alarms');
  const rights = useAlarmRights();
  const [acknowledging, setAcknowledging] = useState<number | null>(null);
  const query = { state: 'open', acknowledged: false, suppressed: false, limit: BELL_ROWS } as const;
  const rows = useQuery(queryOf('listAlarms', { query }, { quiet: true }));
  return (
    <>
      <BellSection
        title={t('alarms')}
        all={
          rights.list && <Link to={alarmsPath({ acknowledged: 'false', suppressed: 'false' })}>{t('allAlarms')}</Link>
        }
        rows={rows}
        empty={t('noAlarms')}
      >
        {(alarm) => (
          <BellRow
            key={alarm.id}
            fresh={since === null || alarm.raisedAt > since}
            mark={<AlarmLevel level={alarm.level} />}
            what={
              <span>
                <CodeName of={alarm} />
              </span>
            }
            where={
              <>
                <DeviceLink id={alarm.deviceId} name={alarm.deviceName} />
                {' · '}
                <ConnectorName of={alarm} />
                {' · '}
                <SiteLink id={alarm.siteId} name={alarm.siteName} />
              </>
            }
            at={<AlarmLasted alarm={alarm} />}
            action={
              rights.work && (
                <Button size="small" onClick={() => setAcknowledging(alarm.id)}>
                  {alarms('acknowledge.ok')}
                </Button>
              )
            }
          />
        )}
      </BellSection>
      {acknowledging !== null && <AcknowledgeDialog ids={[acknowledging]} onClose={() => setAcknowledging(null)} />}
    </>
  );
}
