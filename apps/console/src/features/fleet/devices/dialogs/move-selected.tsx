import type { BulkDialogProps } from '../../../../shared/ui/list/bulk-action.ts';
import MoveDialog from './move-dialog.tsx';

/** Moves the selected devices to another site. Devices that were not moved stay selected. */
export default function MoveSelected({ selection, onClose }: BulkDialogProps) {
  return <MoveDialog devices={selection.names} onClose={onClose} onMoved={selection.keep} />;
}
