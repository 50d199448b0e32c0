import type { KickCause, OnlineRow } from '@chargehand/contract';
import { KICK_CAUSES } from '@chargehand/contract/session-ends';
import { Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import css from '../people.module.css';

/** What to end: this session, or all sessions of the user. */
export interface Kick {
  row: OnlineRow;
  all: boolean;
}

/**
 * Asks for a reason, ends the session or all of the user's sessions, and shows the user the reason in their language
 * and the note.
 */
export function KickDialog({ kick: { row, all }, onClose }: { kick: Kick; onClose(): void }) {
  const { t } = useTranslation('online');
  const [cause, setCause] = useState<KickCause>('maintenance');
  const [note, setNote] = useState('');
  const noteId = useId();
  const why = { cause, ...(note.trim() && { note: note.trim() }) };
  return (
    <Confirm
      title={t(all ? 'kick.allTitle' : 'kick.sessionTitle', { name: row.userName })}
      ok={t('kick.ok')}
      danger
      entered={note}
      run={() =>
        all
          ? call('signOutUser', { params: { id: row.userId }, body: why }, { quiet: true })
          : call('kickSession', { params: { id: row.id }, body: why }, { quiet: true })
      }
      onDone={() => {
        toast.success(t('kick.done', { name: row.userName }));
        void refresh('listOnline');
        onClose();
      }}
      onClose={onClose}
    >
      <fieldset className={css.kickCauses}>
        <legend>{t('kick.cause')}</legend>
        <Radio.Group
          className="stack-tight"
          value={cause}
          options={KICK_CAUSES.map((value) => ({ value, label: t(`causes.${value}`) }))}
          onChange={(event) => setCause(event.target.value as KickCause)}
        />
      </fieldset>
      <div className={`stack-tight ${css.kickNote}`}>
        <label htmlFor={noteId}>{t('kick.note')}</label>
        <Input.TextArea
          id={noteId}
          value={note}
          maxLength={200}
          showCount
          autoSize={{ minRows: 2, maxRows: 5 }}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      <p className="quiet">{t('kick.text', { name: row.userName })}</p>
    </Confirm>
  );
}
