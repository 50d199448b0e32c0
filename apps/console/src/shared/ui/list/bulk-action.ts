import type { BulkAnswer } from '@chargehand/contract';
import type { ComponentType } from 'react';
import type { EndpointName } from '../../api/client.ts';
import type { Selection } from '../../hooks/lists/use-selection.ts';

/** The props of a bulk action's own dialog. */
export interface BulkDialogProps {
  selection: Selection;
  onClose(): void;
}

/** A bulk action. */
export type BulkAction =
  | BulkChange
  | { key: string; label: string; danger?: boolean; most?: number; dialog: ComponentType<BulkDialogProps> }
  | BulkOpening;

/** Opens another page with the selected rows, or changes them at once. */
export interface BulkOpening {
  key: string;
  label: string;
  danger?: boolean;
  /** maximum number of rows */
  most?: number;
  open(ids: number[]): void;
  /** what is confirmed and applied instead when all matching rows are selected, because not all of them were seen */
  whole?: BulkChange;
}

/** A change of rows that is confirmed and then applied to each row. */
export interface BulkChange {
  key: string;
  label: string;
  danger?: boolean;
  /** maximum number of rows */
  most?: number;
  /** cannot be undone: the user must type the number of rows */
  typed?: boolean;
  /** a sentence that explains the effect */
  text: string;
  run(ids: number[]): Promise<BulkAnswer>;
  /** the queries to refetch afterwards */
  refreshes: readonly EndpointName[];
}
