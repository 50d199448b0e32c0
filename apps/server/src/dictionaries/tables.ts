import type { Dictionary, DictionaryValue } from '@chargehand/domain';
import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    dictionary_entries: DictionaryEntriesTable;
    dictionary_changes: DictionaryChangesTable;
  }
}

interface DictionaryEntriesTable {
  dictionary: Dictionary;
  code: string;
  name_en: string;
  name_zh: string;
  enabled: boolean;
  position: number;
  parent: ColumnType<string | null, string | null | undefined, string | null>;
}

interface DictionaryChangesTable {
  id: GeneratedAlways<number>;
  dictionary: Dictionary;
  code: string;
  at: Date;
  user_id: number | null;
  user_name: string;
  action: 'add' | 'edit' | 'remove' | 'reset' | 'undo';
  before: Json<DictionaryValue | null>;
  after: Json<DictionaryValue | null>;
  undoes: number | null;
}
