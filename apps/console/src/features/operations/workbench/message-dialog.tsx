import type { ExecutionRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ExecutionProgress } from '../executions/execution-progress.tsx';
import { MessageTexts } from './message-texts.tsx';

/** A message that was sent before, and the response of the device. */
export default function MessageDialog(props: { deviceId: number; execution: ExecutionRow; onClose(): void }) {
  const { deviceId, execution, onClose } = props;
  const { t } = useTranslation('operations');
  return (
    <Dialog title={t('messageDetails')} footer={null} width={760} onCancel={onClose}>
      <div className="stack">
        <ExecutionProgress execution={execution} />
        <MessageTexts deviceId={deviceId} execution={execution} />
      </div>
    </Dialog>
  );
}
