import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlarmRights } from '../use-alarm-rights.ts';
import AcknowledgeDialog from './acknowledge-dialog.tsx';

/** A button that acknowledges the open alarms of a message; not for users who may not acknowledge. */
export function AcknowledgeMessage({ ids, onDone }: { ids: readonly number[]; onDone(): void }) {
  const { t } = useTranslation('alarms');
  const { work } = useAlarmRights();
  const [open, setOpen] = useState(false);
  if (!work || (ids.length === 0 && !open)) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('acknowledge.ok')}
      </Button>
      {open && <AcknowledgeDialog ids={ids} onClose={() => setOpen(false)} onDone={onDone} />}
    </>
  );
}
