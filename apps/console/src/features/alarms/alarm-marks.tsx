import type { AlarmRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { StatusGlyph } from '../../shared/ui/tags/status-glyph.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Duration, Since } from '../../shared/ui/values/duration.tsx';
import { Dash } from '../../shared/ui/values/time-ago.tsx';
import css from './alarms.module.css';

/** Whether an episode is active, and whether it counts. */
export function AlarmState({ alarm }: { alarm: Pick<AlarmRow, 'clearedAt' | 'suppressed'> }) {
  const { t } = useTranslation('alarms');
  if (alarm.clearedAt) {
    return (
      <Tag tone="plain" glyph="check">
        {t('cleared')}
      </Tag>
    );
  }
  if (alarm.suppressed) {
    return (
      <Tag tone="maintain" glyph="diamond" title={t('suppressedHint')}>
        {t('suppressed')}
      </Tag>
    );
  }
  return (
    <Tag tone="faulted" glyph="alert">
      {t('active')}
    </Tag>
  );
}

/** How long an episode lasted, or has lasted so far. */
export function AlarmLasted({ alarm }: { alarm: Pick<AlarmRow, 'raisedAt' | 'clearedAt'> }) {
  if (!alarm.clearedAt) return <Since at={alarm.raisedAt} />;
  return <Duration seconds={(Date.parse(alarm.clearedAt) - Date.parse(alarm.raisedAt)) / 1_000} />;
}

/** Connector 0 is the device itself. */
export function ConnectorName({ of: { connector, protocol } }: { of: Pick<AlarmRow, 'connector' | 'protocol'> }) {
  return <span className="no-break">{useConnectorName(protocol)(connector)}</span>;
}

interface Coded {
  code: string;
  nameEn: string | null;
  nameZh: string | null;
}

/** The name of a code in the user's language with the code itself, or only the code without a name. */
export function CodeName({ of }: { of: Coded }) {
  const name = useCodeName()(of);
  if (name === null) return <strong className={`${css.alarmCode} mono`}>{of.code}</strong>;
  return (
    <>
      <strong className={css.alarmCode}>{name}</strong> <span className="quiet mono">{of.code}</span>
    </>
  );
}

/** The same with a link to the document that explains the code, for users who may read documents. */
export function CodeLink({ of }: { of: Coded & { deviceModelId: number | null } }) {
  const reads = usePermitted(['auth_docs_detail']);
  if (!reads) return <CodeName of={of} />;
  const model = of.deviceModelId === null ? '' : `&deviceModelId=${of.deviceModelId}`;
  return (
    <Link to={`/manage/docs/detail/type/100?code=${encodeURIComponent(of.code)}${model}`}>
      <CodeName of={of} />
    </Link>
  );
}

/** The name of a code in the user's language, null without one. */
export function useCodeName(): (of: Omit<Coded, 'code'>) => string | null {
  const locale = useLocale();
  return ({ nameEn, nameZh }) => (locale === 'zh-CN' ? nameZh : nameEn);
}

/** Who acknowledged an alarm, or the button to acknowledge it. */
export function Acknowledged({ alarm, onTake }: { alarm: AlarmRow; onTake: (() => void) | undefined }) {
  const { t } = useTranslation('alarms');
  if (alarm.acknowledgedAt) {
    return (
      <span className={css.alarmTaken} title={alarm.acknowledgedNote ?? undefined}>
        <StatusGlyph glyph="check" />
        {alarm.acknowledgedBy}
      </span>
    );
  }
  if (!onTake) return <Dash />;
  return (
    <Button size="small" aria-keyshortcuts="a" onClick={onTake}>
      {t('acknowledge.ok')}
    </Button>
  );
}
