import { FAULT_TYPES, ISSUE_MESSAGE_TYPES, type IssueMessageType, type MessageType } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import css from '../messages.module.css';
import { ReasonByType } from '../shared/reason-by-type.tsx';
import { SettingsLink } from '../shared/settings-link.tsx';
import type { NotifiedOf } from './notified-of.ts';

const SITE_TYPES = [...FAULT_TYPES, 'recovery'] as const satisfies readonly MessageType[];

/** Much decides about it, such as the on-call schedule, so an earlier answer is not shown again. */
const NOW = { staleTime: 0, gcTime: 0 };

/** Whether and how the user is notified about a site or an issue now, and what connects them with it. */
export default function NotifiedDialog({ of, onClose }: { of: NotifiedOf; onClose(): void }) {
  const { t } = useTranslation('messages');
  const { t: common } = useTranslation();
  return (
    <Dialog
      title={t(`why.${of.kind}`)}
      footer={<Button onClick={onClose}>{common('close')}</Button>}
      onCancel={onClose}
      width={520}
    >
      <div className="dialog-text">
        <p>
          <strong>{of.name}</strong>
        </p>
        <div className={css.choice}>{of.kind === 'site' ? <OfSite id={of.id} /> : <OfIssue id={of.id} />}</div>
        <SettingsLink onClick={onClose} />
      </div>
    </Dialog>
  );
}

function OfSite({ id }: { id: number }) {
  const { t } = useTranslation('messages');
  const [type, setType] = useState<(typeof SITE_TYPES)[number]>('fault');
  const query = useQuery({
    ...queryOf('explainSite', { params: { id }, query: { type } }, { quiet: true }),
    ...NOW,
  });
  const ties = query.data?.ties.map((tie) => t(`ties.${tie}`)) ?? [];
  return (
    <ReasonByType types={SITE_TYPES} type={type} onType={setType} query={query}>
      <Ties label={t('ties.site')} ties={ties} none={t('ties.noneOfSite')} />
    </ReasonByType>
  );
}

function OfIssue({ id }: { id: number }) {
  const { t } = useTranslation('messages');
  const [type, setType] = useState<IssueMessageType>('issueAnswered');
  const query = useQuery({
    ...queryOf('explainIssue', { params: { id }, query: { type } }, { quiet: true }),
    ...NOW,
  });
  const ties = query.data?.ties.map((tie) => t(`ties.${tie}`)) ?? [];
  return (
    <ReasonByType types={ISSUE_MESSAGE_TYPES} type={type} onType={setType} query={query}>
      <Ties label={t('ties.issue')} ties={ties} none={t('ties.noneOfIssue')} />
    </ReasonByType>
  );
}

function Ties({ label, ties, none }: { label: string; ties: readonly string[]; none: string }) {
  const { t } = useTranslation('messages');
  return (
    <Describe items={[{ key: 'ties', label, value: ties.length === 0 ? none : ties.join(t('ties.separator')) }]} />
  );
}
