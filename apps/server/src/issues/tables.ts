import type { Locale } from '@chargehand/contract';
import type {
  DocumentContent,
  IssueCause,
  IssueLink,
  IssuePriority,
  IssueRemedy,
  IssueReminder,
  IssueStatus,
  IssueType,
} from '@chargehand/domain';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';
import type { StoredSituation } from './evidence/situation.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    issue_numbers: NumbersTable;
    issues: IssuesTable;
    issue_entries: EntriesTable;
    issue_comment_versions: CommentVersionsTable;
    issue_watchers: WatchersTable;
    issue_links: LinksTable;
    issue_views: ViewsTable;
    issue_evidence: EvidenceTable;
    report_links: ReportLinksTable;
    issue_reports: ReportsTable;
    issue_report_replies: ReportRepliesTable;
    issue_report_uploads: ReportUploadsTable;
  }
}

interface NumbersTable {
  customer_id: number;
  last: number;
}

interface IssuesTable {
  id: GeneratedAlways<number>;
  customer_id: number;
  site_id: number | null;
  number: number;
  title: string;
  body: Json<DocumentContent | null>;
  type: IssueType;
  priority: IssuePriority;
  status: Generated<IssueStatus>;
  labels: Generated<string[]>;
  occurred_at: Date;
  created_at: Generated<Date>;
  created_by: number | null;
  created_by_name: string;
  updated_at: Generated<Date>;
  assignee_id: Generated<number | null>;
  due_at: Generated<Date | null>;
  reminded: Generated<IssueReminder | null>;
  remind_at: Generated<Date | null>;
  customer_name: string;
  site_name: string | null;
  device_id: Generated<number | null>;
  device_name: Generated<string | null>;
  device_sn: Generated<string | null>;
  device_model: Generated<string | null>;
  soft_version: Generated<string | null>;
  alarm_id: Generated<number | null>;
  alarm_code: Generated<string | null>;
  execution_id: Generated<string | null>;
  response_ms: Generated<number | null>;
  resolution_ms: Generated<number | null>;
  closed_at: Generated<Date | null>;
  cause: Generated<IssueCause | null>;
  cause_text: Generated<string>;
  remedy: Generated<IssueRemedy | null>;
  remedy_text: Generated<string>;
  merged_into: Generated<number | null>;
  status_before: Generated<IssueStatus | null>;
  request_key: Generated<string | null>;
}

interface EntriesTable {
  id: GeneratedAlways<number>;
  issue_id: number;
  at: Generated<Date>;
  event: string | null;
  user_id: number | null;
  user_name: string;
  internal: Generated<boolean>;
  body: Json<DocumentContent | null>;
  quotes: Generated<number | null>;
  edited_at: Generated<Date | null>;
  edits: Generated<number>;
  data: Json<Record<string, unknown> | null>;
}

interface CommentVersionsTable {
  entry_id: number;
  version: number;
  body: Json<DocumentContent>;
  written_at: Date;
}

interface WatchersTable {
  issue_id: number;
  user_id: number;
}

interface LinksTable {
  id: GeneratedAlways<number>;
  issue_id: number;
  other_id: number;
  kind: IssueLink;
}

interface EvidenceTable {
  issue_id: number;
  taken_at: Generated<Date>;
  situation: Json<StoredSituation>;
  frames: Json<unknown[]>;
}

interface ViewsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  filters: Json<Record<string, unknown>>;
}

interface ReportLinksTable {
  id: GeneratedAlways<number>;
  sealed_token: string | null;
  token_hash: Buffer | null;
  device_id: number | null;
  site_id: number | null;
  created_at: Generated<Date>;
}

interface ReportsTable {
  id: GeneratedAlways<number>;
  issue_id: number;
  request_key: string;
  /** AES-256-GCM */
  sealed_follow_token: string;
  /** SHA-256; null for a report of an earlier version that is not encrypted yet */
  follow_token_hash: Buffer | null;
  created_at: Generated<Date>;
  device_id: number | null;
  site_id: number | null;
  site_name: string | null;
  device_name: string | null;
  connector: number | null;
  sn: string;
  place: string;
  type: IssueType;
  description: string;
  locale: Locale;
  contact: string | null;
  had_contact: boolean;
  notify: boolean;
  joined: boolean;
  replies: Generated<number>;
}

interface ReportRepliesTable {
  report_id: number;
  request_key: string;
}

interface ReportUploadsTable {
  id: string;
  report_id: number;
  message: number;
  name: string;
  size: number;
  received: Generated<number>;
  done: Generated<boolean>;
  active_at: Generated<Date>;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  issue_links_issue_id_other_id_kind_key: ['issueLinked', 'issueId'],
} satisfies Explanations;
