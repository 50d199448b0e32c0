import type { DeviceRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useDeviceRights } from '../../../shared/session/use-device-rights.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { reportIssuePath, useReportsIssues } from '../../../shared/ui/issues/report-path.ts';
import { detailPath, labelsPath } from './device-paths.ts';

const DeviceDialog = lazyDialog(() => import('./dialogs/device-dialogs.tsx'));
const withWords = <M,>(load: () => Promise<M>) => Promise.all([load(), loadWords(['devices'])]).then(([part]) => part);
const MoveDialog = lazyDialog(() => withWords(() => import('./dialogs/move-dialog.tsx')));
const MaintenanceDialog = lazyDialog(() => withWords(() => import('./dialogs/maintenance-dialog.tsx')));

type Subject = Pick<DeviceRow, 'id' | 'name' | 'sn' | 'enabled' | 'status'>;

interface Props {
  device: Subject;
  /** the page of a site, which its page then names as the one before it */
  from?: 'site';
  onDeleted?: () => void;
}

/** The actions of a device record. */
export function DeviceActions({ device, from, onDeleted }: Props) {
  const { t } = useTranslation('fleet');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_device_detail']);
  const rights = useDeviceRights();
  const mayEdit = usePermitted(['auth_device_edit']) && rights.edit;
  const mayLog = usePermitted(['auth_logs_action']);
  const reports = useReportsIssues();
  const [dialog, setDialog] = useState<'enable' | 'disable' | 'delete' | 'move' | 'maintain' | null>(null);
  const close = () => setDialog(null);
  const onDetail = onDeleted !== undefined;

  const items = [
    mayOpen &&
      !onDetail && { key: 'open', label: t('action.open'), onClick: () => navigate(detailPath(device.id, from)) },
    reports && {
      key: 'issue',
      label: common('issue.report'),
      onClick: () => navigate(reportIssuePath({ deviceId: device.id })),
    },
    mayEdit && {
      key: 'edit',
      label: t('action.edit'),
      onClick: () => navigate(`/manage/device/update/${device.id}`),
    },
    mayEdit && { key: 'move', label: t('action.move'), onClick: () => setDialog('move') },
    mayEdit && { key: 'maintain', label: t('action.maintain'), onClick: () => setDialog('maintain') },
    { key: 'label', label: t('action.label'), onClick: () => navigate(labelsPath([device.id])) },
    mayLog && {
      key: 'log',
      label: t('action.log'),
      onClick: () => navigate(`/manage/logs/action/device/${device.id}`),
    },
    mayEdit &&
      (device.enabled
        ? { key: 'disable', label: t('action.disable'), onClick: () => setDialog('disable') }
        : { key: 'enable', label: t('action.enable'), onClick: () => setDialog('enable') }),
    mayEdit && { key: 'delete', label: t('action.delete'), danger: true, onClick: () => setDialog('delete') },
  ].filter((item) => item !== false);

  return (
    <>
      <MoreMenu
        items={items}
        label={t('action.more', { name: device.name })}
        type={onDetail ? 'default' : 'text'}
        size={onDetail ? 'middle' : 'small'}
      />
      {dialog === 'move' && <MoveDialog devices={new Map([[device.id, device.name]])} onClose={close} />}
      {dialog === 'maintain' && <MaintenanceDialog kind="record" device={device} onClose={close} />}
      {(dialog === 'enable' || dialog === 'disable' || dialog === 'delete') && (
        <DeviceDialog kind={dialog} device={device} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  );
}
