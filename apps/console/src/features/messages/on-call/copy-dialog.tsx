import { COPIED_WEEKS } from '@chargehand/contract/constants';
import { InputNumber } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Copies the shown seven days to the following weeks. */
export default function CopyDialog(props: {
  customerId: number;
  siteId: number | null;
  from: string;
  onClose(): void;
}) {
  const { customerId, siteId, from, onClose } = props;
  const { t } = useTranslation('on-call');
  const [weeks, setWeeks] = useState(4);
  return (
    <Confirm
      title={t('copy.title')}
      ok={t('copy.ok')}
      entered={weeks}
      run={async () => {
        const body = { siteId, from, weeks };
        const { copied, skipped } = await call('copyOnCallWeek', { params: { id: customerId }, body }, { quiet: true });
        toast.success(t('copy.done', { copied, skipped }));
        void refresh('listOnCall');
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('copy.text')}</p>
      <InputNumber<number>
        min={1}
        max={COPIED_WEEKS}
        precision={0}
        value={weeks}
        aria-label={t('copy.weeks')}
        onChange={(value) => setWeeks(value ?? 1)}
      />{' '}
      {t('copy.weeks')}
    </Confirm>
  );
}
