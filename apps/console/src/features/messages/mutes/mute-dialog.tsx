import { FAULT_TYPES, formatTime, type MessageType } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useNow } from '../../../shared/hooks/use-now.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { TimeField } from '../../../shared/ui/times/time-field.tsx';
import css from '../messages.module.css';
import { ReasonByType } from '../shared/reason-by-type.tsx';
import { type MutePlace, saveMute } from './save-mute.ts';

const HOUR_MS = 3_600_000;
/** The offered durations, in hours. */
const DURATIONS = [1, 8, 24] as const;
/** The types that can be muted. */
const TYPES = [...FAULT_TYPES, 'recovery'] as const satisfies readonly MessageType[];

/** Mutes a device or site for some time or ends that, and explains whether the user is notified about the device. */
export default function MuteDialog(props: { place: MutePlace; until: string | null; onClose(): void }) {
  const { place, until, onClose } = props;
  const { t } = useTranslation('messages');
  const { t: common } = useTranslation();
  const now = useNow();
  const [chosen, setChosen] = useState<string | null>(null);
  const past = chosen !== null && Date.parse(chosen) <= now;
  const { name } = place;
  const muting = useMutation({
    mutationFn: (end: string | null) => saveMute(place, end),
    onSuccess(_, end) {
      toast.success(end === null ? t('mute.ended', { name }) : t('mute.done', { name, time: timeOf(end) }));
      onClose();
    },
  });
  const after = (hours: number) => muting.mutate(new Date(Date.now() + hours * HOUR_MS).toISOString());
  return (
    <Dialog
      title={t('mute.doOf', { name })}
      footer={
        <Button disabled={muting.isPending} onClick={onClose}>
          {common('close')}
        </Button>
      }
      pending={muting.isPending}
      onCancel={onClose}
      width={520}
    >
      <div className="dialog-text">
        {until !== null && (
          <p className="warning-note">
            {t('mute.until', { time: timeOf(until) })}{' '}
            <Button size="small" loading={muting.isPending} onClick={() => muting.mutate(null)}>
              {t('mute.endNow')}
            </Button>
          </p>
        )}
        <p>{t('mute.text', { name })}</p>
        <fieldset className={css.durations}>
          <legend>{t('mute.for')}</legend>
          {DURATIONS.map((hours) => (
            <Button key={hours} disabled={muting.isPending} onClick={() => after(hours)}>
              {hours < 24 ? t('mute.hours', { count: hours }) : t('mute.days', { count: hours / 24 })}
            </Button>
          ))}
        </fieldset>
        <div className={css.durations}>
          <TimeField label={t('mute.time')} value={chosen} onChange={setChosen} />
          <Button
            disabled={chosen === null || past}
            loading={muting.isPending}
            onClick={() => chosen !== null && muting.mutate(chosen)}
          >
            {t('mute.ok')}
          </Button>
        </div>
        {past && (
          <p className="error-note" role="alert">
            {t('mute.timePast')}
          </p>
        )}
        {muting.error instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {muting.error.message}
          </p>
        )}
        {place.kind === 'device' && <DeviceReason deviceId={place.id} />}
      </div>
    </Dialog>
  );
}

/** Whether and how the user is notified about a device. */
function DeviceReason({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('messages');
  const permitted = usePermitted(['auth_message_list']);
  const [type, setType] = useState<(typeof TYPES)[number]>('fault');
  const query = useQuery({
    ...queryOf('explainInbox', { query: { deviceId, type } }, { quiet: true }),
    enabled: permitted,
  });
  if (!permitted) return null;
  return (
    <section className={css.reason} aria-label={t('why.device')}>
      <h3>{t('why.device')}</h3>
      <ReasonByType types={TYPES} type={type} onType={setType} query={query} />
    </section>
  );
}

function timeOf(at: string): string {
  return formatTime(at).slice(0, 16);
}
