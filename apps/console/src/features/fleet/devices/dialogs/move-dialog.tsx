import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { ApiProblem } from '../../../../shared/api/problem.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { useSlices } from '../../../../shared/hooks/lists/use-slices.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { LeaveGuard } from '../../../../shared/ui/dialogs/leave-guard.tsx';
import { SitePicker } from '../../../../shared/ui/list-page/pickers.tsx';
import '../../../../shared/ui/list/bulk-dialog.css';
import { SliceProgress } from '../../../../shared/ui/dialogs/slice-progress.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';

interface Props {
  /** names by id */
  devices: ReadonlyMap<number, string>;
  onClose(): void;
  /** called with the devices that were not moved */
  onMoved?: (left: number[]) => void;
  /** about the devices, shown below the explanation */
  note?: ReactNode;
}

/** Moves devices to another site. Devices that cannot be moved are listed with the reason. */
export default function MoveDialog({ devices, onClose, onMoved, note }: Props) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const id = useId();
  // Keeps the requested names visible while the selection behind the dialog shrinks.
  const [names] = useState(devices);
  const [siteId, setSiteId] = useState<number>();
  const slices = useSlices();
  const move = useMutation({
    mutationFn: (siteId: number) =>
      slices.run([...names.keys()], (ids) => call('moveDevices', { body: { ids, siteId } }, { quiet: true })),
    onSuccess: async ({ results, error }) => {
      const moved = new Set(results.filter(({ code }) => code === 0).map((one) => one.id));
      if (moved.size > 0) toast.success(t('move.done', { count: moved.size }));
      onMoved?.([...names.keys()].filter((one) => !moved.has(one)));
      if (moved.size === names.size) onClose();
      await refresh('listDevices', 'countDevices', 'readDevice');
      if (error) throw error;
    },
  });
  const untried = move.data ? names.size - move.data.results.length : 0;
  const left = move.data?.results.filter(({ code }) => code !== 0) ?? [];
  const [first = ''] = names.values();
  return (
    <Dialog
      title={names.size === 1 ? t('move.titleOne', { name: first }) : t('move.titleMany', { count: names.size })}
      okText={t('move.ok')}
      cancelText={common(move.isPending ? 'list.stop' : move.data ? 'close' : 'cancel')}
      okButtonProps={{ disabled: siteId === undefined || move.data !== undefined, loading: move.isPending }}
      onOk={() => siteId !== undefined && move.mutate(siteId)}
      onCancel={() => (move.isPending ? slices.stop() : onClose())}
      width={480}
    >
      {move.isPending && <LeaveGuard pending />}
      <div className="dialog-text">
        <p>{t('move.text')}</p>
        {note}
        <label htmlFor={id}>{t('move.site')}</label>
        <SitePicker id={id} value={siteId} placeholder={t('move.choose')} onChange={setSiteId} />
        {move.isPending && <SliceProgress done={slices.done} total={names.size} label={t('move.ok')} />}
        {untried > 0 && <p role="status">{common('list.notTried', { count: untried })}</p>}
        {left.length > 0 && (
          <div role="alert">
            <p>{t('move.left')}</p>
            <dl className="bulk-failures">
              {left.map((one) => (
                <div key={one.id}>
                  <dt>{names.get(one.id)}</dt>
                  <dd>{one.message}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        {move.error && (
          <p className="error-note" role="alert">
            {move.error instanceof ApiProblem ? move.error.message : common('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
