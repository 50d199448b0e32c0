import type { DeviceDetail, TransactionRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { Tag } from '../../../shared/ui/tags/tag.tsx';
import { Duration, Since } from '../../../shared/ui/values/duration.tsx';
import { ProtocolWord } from '../../../shared/ui/values/protocol-word.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import css from '../runtime.module.css';
import { CloseSessionDialog } from './close-session-dialog.tsx';

export type Session = Static<typeof TransactionRow>;

/** How a session ended: the device's own reason, or why it is considered ended; an open session can be closed. */
export function SessionEnd({ session, device }: { session: Session; device: DeviceDetail }) {
  const { t } = useTranslation('telemetry');
  const [closing, setClosing] = useState(false);
  const { stopCause, closedBy, closeComment } = session;
  if (session.stoppedAt === null) {
    if (!device.may.control) return <Dash />;
    return (
      <>
        <Button size="small" onClick={() => setClosing(true)}>
          {t('close.action')}
        </Button>
        {closing && (
          <CloseSessionDialog deviceId={device.id} transactionId={session.id} onClose={() => setClosing(false)} />
        )}
      </>
    );
  }
  return (
    <span className={css.sessionEnd}>
      {stopCause ? t('sessions.notReported') : <ProtocolWord kind="stopReason" value={session.stopReason} />}
      {stopCause && <span className="quiet">{t(`cause.${stopCause}`, { name: closedBy ?? '' })}</span>}
      {closeComment && <span className="quiet">{t('sessions.comment', { comment: closeComment })}</span>}
    </span>
  );
}

/** The duration of a session; none when its times are invalid. */
export function SessionDuration({ session }: { session: Session }) {
  const { t } = useTranslation('telemetry');
  if (session.impossibleTimes) {
    return (
      <Tag tone="maintain" glyph="alert" title={t('sessions.impossibleTimesHint')}>
        {t('sessions.impossibleTimes')}
      </Tag>
    );
  }
  if (!session.stoppedAt) return <Since at={session.startedAt} />;
  return <Duration seconds={(Date.parse(session.stoppedAt) - Date.parse(session.startedAt)) / 1_000} />;
}
