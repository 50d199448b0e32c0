import type { BulkDialogProps } from '../../../../shared/ui/list/bulk-action.ts';
import MoveDialog from './move-dialog.tsx';

/** Has the devices that were chosen in the list stand at another site; those that stayed remain chosen. */
export default function MoveSelected({ selection, onClose }: BulkDialogProps) {
  return <MoveDialog devices={selection.names} onClose={onClose} onMoved={selection.keep} />;
}
