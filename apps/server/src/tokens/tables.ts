import type { TokenPolicy } from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    token_policies: TokenPoliciesTable;
    token_books: TokenBooksTable;
    tokens: TokensTable;
    token_sites: { token_id: number; site_id: number };
    removed_tokens: RemovedTokensTable;
    unknown_tokens: UnknownTokensTable;
    device_token_lists: DeviceTokenListsTable;
    token_imports: TokenImportsTable;
    token_import_faults: { import_id: number; row: number; value: string; problems: Json };
  }
}

interface TokenPoliciesTable {
  id: GeneratedAlways<number>;
  customer_id: number | null;
  site_id: number | null;
  device_id: number | null;
  policy: TokenPolicy;
  set_at: Generated<Date>;
  set_by_name: string;
}

interface TokenBooksTable {
  customer_id: number;
  revision: Generated<number>;
  forgotten: Generated<number>;
}

export interface TokensTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  value: string;
  value_key: GeneratedAlways<string>;
  type: string;
  group_value: string | null;
  holder: Generated<string>;
  note: Generated<string>;
  valid_from: Date | null;
  valid_until: Date | null;
  blocked_at: Date | null;
  blocked_by_name: string | null;
  concurrent: Generated<boolean>;
  all_sites: Generated<boolean>;
  revision: number;
  waits: Generated<boolean>;
  created_at: Generated<Date>;
  created_by_name: string;
  updated_at: Generated<Date>;
}

interface RemovedTokensTable {
  customer_id: number;
  revision: number;
  value: string;
  type: string;
  removed_at: Generated<Date>;
}

interface UnknownTokensTable {
  id: GeneratedAlways<number>;
  site_id: number;
  value: string;
  value_key: GeneratedAlways<string>;
  type: string | null;
  device_id: number | null;
  count: number;
  first_at: Date;
  last_at: Date;
}

interface DeviceTokenListsTable {
  device_id: number;
  version: Generated<number>;
  revision: number | null;
  place: string | null;
  full_revision: number | null;
  full_cursor: number | null;
  sent_version: number | null;
  sent_cursor: number | null;
  sent_more: boolean | null;
  sent_full: boolean | null;
  verify: Generated<boolean>;
  failures: Generated<number>;
  execution_id: string | null;
  command: 'clearCache' | 'read' | 'send' | null;
  state: Generated<'waiting' | 'sending' | 'equal' | 'unsupported' | 'off' | 'failed'>;
  checksum: string | null;
  entries: number | null;
  left_out: Generated<number>;
  detail: string | null;
  verified_at: Date | null;
  equal_at: Date | null;
  updated_at: Generated<Date>;
  next_at: Generated<Date>;
  clear_cache_since: Date | null;
  clearing_since: Date | null;
}

interface TokenImportsTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  user_id: number | null;
  user_name: string;
  file_name: string;
  /** the server that stores it */
  node: string;
  state: 'running' | 'done' | 'failed';
  total: Generated<number>;
  done: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  unchanged: Generated<number>;
  skipped: Generated<number>;
  started_at: Generated<Date>;
  ended_at: Date | null;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  tokens_value: ['tokenTaken', 'tokenValue'],
} satisfies Explanations;
