import type { DeviceModelDetail } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { CopyModelDialog, DeleteModelDialog } from './dialogs/model-dialogs.tsx';

/** The actions of a model. */
export function ModelActions({ model, dirty }: { model: DeviceModelDetail; dirty: boolean }) {
  const { t } = useTranslation('models');
  const modelName = useModelName();
  const navigate = useNavigate();
  const edits = model.may.edit;
  const mayLog = usePermitted(['auth_logs_action']);
  const mayAlias = usePermitted(['auth_deviceModel_alias']);
  const [dialog, setDialog] = useState<'copy' | 'delete' | null>(null);
  const fetching = useMutation({ mutationFn: () => download('exportDeviceModel', { params: { id: model.id } }) });
  const close = () => setDialog(null);
  const items = [
    edits && { key: 'copy', label: t('model.copy'), disabled: dirty, onClick: () => setDialog('copy') },
    edits && { key: 'export', label: t('model.export'), disabled: dirty, onClick: () => fetching.mutate() },
    mayAlias && {
      key: 'alias',
      label: t('model.aliases'),
      onClick: () => navigate(`/manage/device-model-alias?deviceModelId=${model.id}`),
    },
    mayLog && {
      key: 'log',
      label: t('history'),
      onClick: () => navigate(`/manage/logs/action/deviceModel/${model.id}`),
    },
    edits && { key: 'delete', label: t('delete'), danger: true, onClick: () => setDialog('delete') },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <>
      <MoreMenu items={items} label={t('actionsOf', { name: modelName(model.name) })} type="default" />
      {dialog === 'copy' && <CopyModelDialog model={model} onClose={close} />}
      {dialog === 'delete' && <DeleteModelDialog model={model} onClose={close} />}
    </>
  );
}
