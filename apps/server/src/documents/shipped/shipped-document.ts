import type { DocumentType } from '@chargehand/domain';

/** A document of the product. Its text is `content/<category>/<locale>/<key>.md`. */
export interface ShippedDocument {
  /** never changes, because it identifies the document in upgrades */
  key: string;
  type?: DocumentType;
  /** the codes that it explains; the first one is its name */
  codes?: readonly string[];
}

/** A category, by its path. */
export interface ShippedCategory {
  key: string;
  nameEn: string;
  nameZh: string;
  documents: readonly ShippedDocument[];
}
