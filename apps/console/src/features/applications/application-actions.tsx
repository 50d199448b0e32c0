import type { ApplicationRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';

type Change = 'enable' | 'disable' | 'delete';

/** The actions of an application. `onDeleted` is given on its own page, which is left then. */
export function ApplicationActions(props: {
  application: Pick<ApplicationRow, 'id' | 'name' | 'state'>;
  onDeleted?: () => void;
}) {
  const { application, onDeleted } = props;
  const { id, name } = application;
  const { t } = useTranslation('applications');
  const navigate = useNavigate();
  const mayEdit = usePermitted(['auth_application_edit']);
  const mayLog = usePermitted(['auth_logs_action']);
  const [change, setChange] = useState<Change | null>(null);
  const choose = (key: Change, danger = false) => ({
    ...{ key, label: t(`change.${key}.ok`), danger },
    onClick: () => setChange(key),
  });
  const items = [
    mayEdit &&
      !onDeleted && {
        key: 'edit',
        label: t('edit'),
        onClick: () => navigate(`/manage/system/application/update/${id}`),
      },
    mayEdit && choose(application.state === 'disabled' ? 'enable' : 'disable'),
    mayLog && { key: 'log', label: t('history'), onClick: () => navigate(`/manage/logs/action/application/${id}`) },
    mayEdit && choose('delete', true),
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <>
      <MoreMenu items={items} label={t('actionsOf', { name })} type={onDeleted ? 'default' : 'text'} />
      {change && (
        <Confirm
          title={t(`change.${change}.title`, { name })}
          ok={t(`change.${change}.ok`)}
          danger={change !== 'enable'}
          run={() => run(change, id)}
          onDone={() => {
            toast.success(t(`change.${change}.done`, { name }));
            setChange(null);
            if (change === 'delete') onDeleted?.();
            void (change === 'delete' ? refresh('listApplications') : refresh('listApplications', 'readApplication'));
          }}
          onClose={() => setChange(null)}
        >
          <p>{t(`change.${change}.text`)}</p>
        </Confirm>
      )}
    </>
  );
}

function run(change: Change, id: number): Promise<unknown> {
  const input = { params: { id } };
  const quiet = { quiet: true };
  if (change === 'enable') return call('enableApplication', input, quiet);
  return change === 'disable' ? call('disableApplication', input, quiet) : call('deleteApplication', input, quiet);
}
