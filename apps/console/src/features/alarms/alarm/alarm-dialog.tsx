import type { AlarmDetail } from '@chargehand/contract';
import { DOCUMENT_TYPES } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { CodeEnds } from '../../../shared/ui/explanations/code-ends.tsx';
import { CodeExplanation } from '../../../shared/ui/explanations/explanation.tsx';
import { IssueButton } from '../../../shared/ui/issues/issue-button.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { latePart } from '../../../shared/ui/states/late-part.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { DeviceLink, SiteLink } from '../../../shared/ui/values/place-link.tsx';
import { ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { AlarmLasted, AlarmState, CodeName, ConnectorName } from '../alarm-marks.tsx';
import css from '../alarms.module.css';
import { useAlarmRights } from '../use-alarm-rights.ts';
import AcknowledgeDialog from './acknowledge-dialog.tsx';

/** Loaded with its texts when an alarm of a rule is first opened. */
const AlarmCause = latePart(async () => {
  const [part] = await Promise.all([import('./alarm-cause.tsx'), loadWords(['rules'])]);
  return part;
}, 2);

/** An alarm: its data, who acknowledged it, and the comments. */
export default function AlarmDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation('alarms');
  const alarm = useQuery(queryOf('readAlarm', { params: { id } }, { quiet: true }));
  const { data } = alarm;
  const [text, setText] = useState('');
  const { close, guard } = useGuardedClose(text.trim() !== '', onClose);
  return (
    <Dialog
      title={data ? <CodeName of={data} /> : t('alarm')}
      footer={null}
      onCancel={close}
      width={640}
      destroyOnHidden
    >
      {guard}
      {data ? (
        <Content alarm={data} conversation={<Conversation alarm={data} text={text} onText={setText} />} />
      ) : alarm.isError ? (
        <ErrorState error={alarm.error} onRetry={() => void alarm.refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Dialog>
  );
}

function Content({ alarm, conversation }: { alarm: AlarmDetail; conversation: ReactNode }) {
  const { t } = useTranslation('alarms');
  const detailOf = useConnectionDetail();
  const modelName = useModelName();
  const { work } = useAlarmRights();
  const [acknowledging, setAcknowledging] = useState(false);
  return (
    <div className="stack">
      <span className="field-row">
        <AlarmLevel level={alarm.level} />
        <AlarmState alarm={alarm} />
        <span>{t(`kinds.${alarm.kind}`)}</span>
        <AlarmLasted alarm={alarm} />
      </span>
      {alarm.info && <p className={css.alarmInfo}>{detailOf(alarm.info)}</p>}
      <CodeExplanation code={alarm.code} type={DOCUMENT_TYPES.alarm} deviceModelId={alarm.deviceModelId} />
      <CodeEnds codes={[alarm.code]} />
      <Describe
        items={[
          { key: 'device', label: t('device'), value: <DeviceLink id={alarm.deviceId} name={alarm.deviceName} /> },
          { key: 'where', label: t('where'), value: <ConnectorName of={alarm} /> },
          { key: 'site', label: t('site'), value: <SiteLink id={alarm.siteId} name={alarm.siteName} /> },
          { key: 'customer', label: t('customer'), value: alarm.customerName },
          { key: 'raised', label: t('raisedAt'), value: <ExactTime at={alarm.raisedAt} /> },
          { key: 'last', label: t('lastAt'), value: <ExactTime at={alarm.lastAt} /> },
          { key: 'cleared', label: t('clearedAt'), value: <ExactTime at={alarm.clearedAt} /> },
          { key: 'repeats', label: t('repeats'), value: alarm.repeats + 1 },
          { key: 'reopened', label: t('reopened'), value: alarm.reopened },
          { key: 'model', label: t('model'), value: modelName(alarm.deviceModelName) },
        ]}
      />
      {alarm.rule && <AlarmCause rule={alarm.rule} />}
      {alarm.acknowledgedAt ? (
        <p className={css.alarmNote}>
          <strong>{t('acknowledgedBy', { name: alarm.acknowledgedBy })}</strong> <TimeAgo at={alarm.acknowledgedAt} />
          {alarm.acknowledgedNote && <span>{alarm.acknowledgedNote}</span>}
        </p>
      ) : null}
      <div className="field-row">
        {work && alarm.acknowledgedAt === null && (
          <Button type="primary" onClick={() => setAcknowledging(true)}>
            {t('acknowledge.ok')}
          </Button>
        )}
        <IssueButton of={{ alarmId: alarm.id }} />
      </div>
      {conversation}
      {acknowledging && <AcknowledgeDialog ids={[alarm.id]} onClose={() => setAcknowledging(false)} />}
    </div>
  );
}

/** The comments of an alarm, and a field for a new one: `text` is its unsaved content. */
function Conversation(props: { alarm: AlarmDetail; text: string; onText: Dispatch<SetStateAction<string>> }) {
  const { alarm, text, onText } = props;
  const { t } = useTranslation('alarms');
  const { work } = useAlarmRights();
  const addingComment = useMutation({
    mutationFn: (comment: string) => call('commentAlarm', { params: { id: alarm.id }, body: { comment } }),
    onSuccess: async (_, comment) => {
      // What was typed meanwhile is kept.
      onText((now) => (now.trim() === comment ? '' : now));
      await refresh('readAlarm', 'listAlarms');
    },
  });
  if (alarm.conversation.length === 0 && !work) return null;
  return (
    <section className="stack" aria-label={t('comments')}>
      {alarm.conversation.length > 0 && (
        <ol className={css.alarmTalk}>
          {alarm.conversation.map((comment) => (
            <li key={comment.id}>
              <strong>{comment.by}</strong> <span className="quiet">{<TimeAgo at={comment.at} />}</span>
              <p>{comment.text}</p>
            </li>
          ))}
        </ol>
      )}
      {work && (
        <form
          className={css.alarmSay}
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) addingComment.mutate(text.trim());
          }}
        >
          <Input.TextArea
            rows={2}
            maxLength={2_000}
            value={text}
            placeholder={t('comment')}
            aria-label={t('comment')}
            onChange={(event) => onText(event.target.value)}
          />
          <Button htmlType="submit" loading={addingComment.isPending} disabled={text.trim() === ''}>
            {t('addComment')}
          </Button>
        </form>
      )}
    </section>
  );
}
