import type { BulkAnswer } from '@chargehand/contract';
import type { ComponentType } from 'react';
import type { EndpointName } from '../../api/client.ts';
import type { Selection } from '../../hooks/lists/use-selection.ts';

/** What a dialog of its own is given. */
export interface BulkDialogProps {
  selection: Selection;
  onClose(): void;
}

/** Something that can be done to many rows at once. */
export type BulkAction =
  | BulkChange
  | { key: string; label: string; danger?: boolean; dialog: ComponentType<BulkDialogProps> }
  | BulkOpening;

/** Leads somewhere else with the rows that were chosen. */
export interface BulkOpening {
  key: string;
  label: string;
  danger?: boolean;
  open(ids: number[]): void;
}

/** A change of rows that is asked about and then made, row by row. */
export interface BulkChange {
  key: string;
  label: string;
  danger?: boolean;
  /** cannot be undone: how many rows it concerns has to be typed */
  typed?: boolean;
  /** what will happen, in a sentence */
  text: string;
  run(ids: number[]): Promise<BulkAnswer>;
  /** what is asked again afterwards */
  refreshes: readonly EndpointName[];
}
