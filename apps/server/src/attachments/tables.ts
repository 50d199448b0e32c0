import type { AttachmentType, AttachmentUse, Level, ScanState } from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    folders: FoldersTable;
    attachments: AttachmentsTable;
    attachment_uses: AttachmentUsesTable;
    attachment_quotas: AttachmentQuotasTable;
    attachment_arrivals: AttachmentArrivalsTable;
  }
}

interface FoldersTable {
  id: GeneratedAlways<number>;
  parent_id: number | null;
  customer_id: number | null;
  site_id: number | null;
  name: string;
  name_key: string;
  description: Generated<string>;
  read_level: Level;
  write_level: Level;
  download_level: Level;
  created_by: number | null;
  created_by_name: string;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  deleted_by_name: string | null;
}

interface AttachmentsTable {
  /** random */
  id: Generated<number>;
  /** the order in which files were added */
  added: GeneratedAlways<number>;
  /** its ID was `added` */
  numbered: Generated<boolean>;
  folder_id: number | null;
  customer_id: number | null;
  site_id: number | null;
  name: string;
  name_key: string;
  description: Generated<string>;
  size: number;
  media_type: string;
  type: AttachmentType;
  bucket: 'main' | 'firmware';
  object_key: string;
  etag: string;
  read_level: Level;
  write_level: Level;
  download_level: Level;
  scan_state: Generated<ScanState>;
  virus: string | null;
  firmware_id: number | null;
  device_log_id: number | null;
  uploaded_by: number | null;
  uploaded_by_name: string;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  deleted_by_name: string | null;
  draft: Generated<boolean>;
}

interface AttachmentUsesTable {
  attachment_id: number;
  kind: AttachmentUse;
  object_id: number;
  ended_at: Date | null;
}

interface AttachmentQuotasTable {
  customer_id: number;
  bytes: number;
}

interface AttachmentArrivalsTable {
  upload_key: string;
  etag: string;
  object_key: string;
  attachment_id: number | null;
  created_at: Generated<Date>;
}
