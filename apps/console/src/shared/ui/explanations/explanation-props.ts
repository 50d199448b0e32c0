import type { CodeExplanation } from '@chargehand/contract';
import type { DocumentType } from '@chargehand/domain';

/** What a short answer needs: the answer, and where its document is. */
export interface ExplanationProps {
  /** nothing is shown without one */
  of: CodeExplanation | undefined;
  type: DocumentType;
  deviceModelId?: number | null;
}

/** A code that no document explains. */
export interface MissingProps {
  code: string;
  type: DocumentType;
  deviceModelId?: number | null;
}

export type FoundExplanation = ExplanationProps & { of: CodeExplanation };
