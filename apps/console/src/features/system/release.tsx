import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';

/** Lets root send again after a restore. */
export function Release() {
  const { t } = useTranslation('system');
  const [open, setOpen] = useState(false);
  const [discard, setDiscard] = useState(true);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('release.open')}
      </Button>
      {open && (
        <Confirm
          title={t('release.title')}
          ok={t('release.ok')}
          danger
          run={() => call('releaseOutgoing', { body: { discard } })}
          onDone={() => {
            setOpen(false);
            toast.success(t('release.done'));
            void refresh('readSystem', 'countSystemProblems');
          }}
          onClose={() => setOpen(false)}
        >
          <p>{t('release.text')}</p>
          <Checkbox checked={discard} onChange={(event) => setDiscard(event.target.checked)}>
            {t('release.discard')}
          </Checkbox>
        </Confirm>
      )}
    </>
  );
}
