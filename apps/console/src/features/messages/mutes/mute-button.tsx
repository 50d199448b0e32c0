import { BellOutlined } from '@ant-design/icons';
import { formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import css from '../messages.module.css';
import { type MutePlace, placeOf } from './save-mute.ts';

const MuteDialog = lazyDialog(() => import('./mute-dialog.tsx'));

/** Shows whether the user muted a device or site, and opens the dialog to mute it. */
export function MuteButton({ place }: { place: MutePlace }) {
  return usePermitted(['auth_message_setting']) ? <Shown place={place} /> : null;
}

function Shown({ place }: { place: MutePlace }) {
  const { t } = useTranslation('messages');
  const [open, setOpen] = useState(false);
  const { data } = useQuery(queryOf('listMessageMutes', {}, { quiet: true }));
  const mute = data?.items.find((one) => {
    const { kind, id } = placeOf(one);
    return kind === place.kind && id === place.id;
  });
  const text = mute ? t('mute.until', { time: formatTime(mute.until).slice(5, 16) }) : t('mute.do');
  return (
    <>
      <Button
        className={css.mute}
        disabled={!data}
        icon={<BellOutlined aria-hidden="true" />}
        data-muted={mute !== undefined}
        aria-label={text}
        title={text}
        onClick={() => setOpen(true)}
      >
        {mute && text}
      </Button>
      {open && <MuteDialog place={place} until={mute?.until ?? null} onClose={() => setOpen(false)} />}
    </>
  );
}
