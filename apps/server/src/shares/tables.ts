import type { ShareKind } from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    shares: SharesTable;
    share_uses: UsesTable;
    share_uploads: UploadsTable;
  }
}

interface SharesTable {
  id: GeneratedAlways<number>;
  kind: ShareKind;
  /** AES-256-GCM */
  sealed_token: string;
  /** SHA-256; null for a share of an earlier version that is not encrypted yet */
  token_hash: Buffer | null;
  /** AES-256-GCM */
  sealed_code: string | null;
  attachment_id: number | null;
  folder_id: number | null;
  issue_id: Generated<number | null>;
  comments: Generated<boolean>;
  earlier: Generated<boolean>;
  terminal_id: Generated<number | null>;
  pages_of: Generated<number | null>;
  interactive: Generated<boolean>;
  host_session: Generated<boolean>;
  customer_id: number | null;
  created_by: number;
  created_at: Generated<Date>;
  expires_at: Date | null;
  recipient: Generated<string>;
  note: Generated<string>;
  uses: Generated<number>;
  use_limit: number | null;
  bytes: Generated<number>;
  byte_limit: number | null;
  wrong_codes: Generated<number>;
  locked_at: Generated<Date | null>;
  destroyed_at: Generated<Date | null>;
  last_used_at: Generated<Date | null>;
  notified_at: Generated<Date | null>;
}

/** What a visitor did. */
export type UseKind = 'file' | 'archive' | 'preview' | 'upload';

interface UsesTable {
  id: GeneratedAlways<number>;
  share_id: number;
  kind: UseKind;
  attachment_id: number | null;
  name: string;
  size: number;
  moved: Generated<number>;
  granted: Generated<number>;
  visitor: string;
  address: string;
  at: Generated<Date>;
  active_at: Generated<Date>;
  ended_at: Generated<Date | null>;
}

interface UploadsTable {
  id: string;
  share_id: number;
  use_id: number;
  name: string;
  uploader: string;
  size: number;
  received: Generated<number>;
  active_at: Generated<Date>;
  done: Generated<boolean>;
}
