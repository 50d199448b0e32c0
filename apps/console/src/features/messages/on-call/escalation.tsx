import { ESCALATE_MINUTES } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { LeaveGuard } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import css from './on-call.module.css';

/** After how many minutes an incident that nobody has processed is passed to the substitutes. */
export function Escalation({ customerId, minutes }: { customerId: number; minutes: number }) {
  const { t } = useTranslation('on-call');
  const { t: common } = useTranslation();
  const [entered, setEntered] = useState<number | null>(null);
  const value = entered ?? minutes;
  const save = useMutation({
    mutationFn: () =>
      call('saveOnCallSettings', { params: { id: customerId }, body: { escalateMinutes: value } }, { quiet: true }),
    async onSuccess() {
      toast.success(t('escalation.saved'));
      await refresh('readOnCallSettings');
      setEntered(null);
    },
  });
  const dirty = value !== minutes;
  return (
    <Panel title={t('escalation.title')}>
      <LeaveGuard active={dirty} pending={save.isPending} />
      <div className={css.actions}>
        <InputNumber<number>
          className={css.minutes}
          min={ESCALATE_MINUTES.least}
          max={ESCALATE_MINUTES.most}
          precision={0}
          value={value}
          aria-label={t('escalation.minutes')}
          onChange={setEntered}
        />
        <span>{t('escalation.text')}</span>
        <Button disabled={!dirty} loading={save.isPending} onClick={() => save.mutate()}>
          {common('save')}
        </Button>
      </div>
      <ErrorNote text={save.error instanceof ApiProblem ? save.error.message : null} />
    </Panel>
  );
}
