import type { BulkDialogProps } from '../../../../shared/ui/list/bulk-action.ts';
import { SelectionChanges } from '../../../../shared/ui/list/selection-changes.tsx';
import MoveDialog from './move-dialog.tsx';

/** Moves the selected devices to another site. Devices that were not moved stay selected. */
export default function MoveSelected({ selection, onClose }: BulkDialogProps) {
  const note = <SelectionChanges selection={selection} />;
  return <MoveDialog devices={selection.names} onClose={onClose} onMoved={selection.keep} note={note} />;
}
