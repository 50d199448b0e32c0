import type { Locale } from '@chargehand/contract';
import type { DocumentContent, DocumentType, Level } from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    document_categories: CategoriesTable;
    documents: DocumentsTable;
    document_bindings: BindingsTable;
    document_texts: TextsTable;
    document_versions: VersionsTable;
    document_drafts: DraftsTable;
    document_editors: EditorsTable;
    document_sections: SectionsTable;
    document_reads: ReadsTable;
    document_readers: ReadersTable;
    document_votes: VotesTable;
    document_words: WordsTable;
    shipped_texts: ShippedTextsTable;
  }
}

interface CategoriesTable {
  id: GeneratedAlways<number>;
  parent_id: number | null;
  position: number;
  name_en: string;
  name_zh: string;
  shipped: Generated<string | null>;
}

interface DocumentsTable {
  id: GeneratedAlways<number>;
  customer_id: number | null;
  name: string;
  type: DocumentType | null;
  category_id: number;
  icon: string | null;
  read_level: Level;
  write_level: Level;
  enabled: Generated<boolean>;
  shipped: string | null;
  created_at: Generated<Date>;
  created_by: number | null;
  created_by_name: string;
  updated_at: Generated<Date>;
  updated_by_name: string;
  reads: Generated<number>;
}

interface BindingsTable {
  document_id: number;
  type: DocumentType;
  key: string;
  device_model_id: number | null;
  customer_id: number | null;
}

interface TextsTable {
  document_id: number;
  locale: Locale;
  version: number;
  title: string;
  description: string;
  /** written as JSON text */
  body: DocumentContent;
  follows: number | null;
  updated_at: Generated<Date>;
  updated_by_name: string;
  indexed: Generated<boolean>;
}

interface VersionsTable {
  document_id: number;
  locale: Locale;
  version: number;
  title: string;
  description: string;
  body: DocumentContent;
  restored: number | null;
  created_at: Generated<Date>;
  created_by: number | null;
  created_by_name: string;
}

interface DraftsTable {
  document_id: number;
  locale: Locale;
  user_id: number;
  base_version: number;
  title: string;
  description: string;
  body: DocumentContent;
  draft_id: Generated<string>;
  saved_at: Generated<Date>;
}

interface EditorsTable {
  document_id: number;
  locale: Locale;
  session_id: string;
  window_id: Generated<string>;
  user_id: number;
  user_name: string;
  seen_at: Generated<Date>;
}

interface SectionsTable {
  id: GeneratedAlways<number>;
  document_id: number;
  locale: Locale;
  position: number;
  heading: string | null;
  anchor: string | null;
  text: string;
  terms: unknown;
  sounds: unknown;
}

interface ReadsTable {
  document_id: number;
  day: Generated<Date>;
  reads: number;
}

interface ReadersTable {
  document_id: number;
  user_id: number;
  day: Generated<Date>;
}

interface VotesTable {
  document_id: number;
  user_id: number;
  helped: boolean;
  at: Generated<Date>;
}

interface WordsTable {
  word: string;
  keys: string[];
}

interface ShippedTextsTable {
  key: string;
  locale: Locale;
  hash: string;
  version: number;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  document_categories_en: ['documentCategoryTaken', 'nameEn'],
  document_categories_zh: ['documentCategoryTaken', 'nameZh'],
  documents_name: ['documentNameTaken', 'name'],
  // Another author stored the same binding at the same time.
  document_bindings_owner: ['changedMeanwhile', 'bindings'],
  documents_category_id_fkey: ['documentCategoryUnknown', 'categoryId'],
  document_bindings_device_model_id_fkey: ['documentModelUnknown', 'bindings'],
} satisfies Explanations;
