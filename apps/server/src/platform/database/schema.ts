import type { AccessTables } from './schema/access.ts';
import type { AlarmsTables } from './schema/alarms.ts';
import type { AuditTables } from './schema/audit.ts';
import type { FilesTables } from './schema/files.ts';
import type { FleetTables } from './schema/fleet.ts';
import type { IngestTables } from './schema/ingest.ts';
import type { MailsTables } from './schema/mails.ts';
import type { ModelsTables } from './schema/models.ts';
import type { ObjectsTables } from './schema/objects.ts';
import type { OperationsTables } from './schema/operations.ts';
import type { StatisticsTables } from './schema/statistics.ts';
import type { TelemetryTables } from './schema/telemetry.ts';
import type { TransfersTables } from './schema/transfers.ts';

/**
 * The tables as the migrations make them, by the room that answers for them; `bigint` is read as a number (ids stay far
 * below 2^53), `date` as `yyyy-MM-dd`.
 */
export interface Database
  extends AccessTables,
    AlarmsTables,
    AuditTables,
    FilesTables,
    FleetTables,
    IngestTables,
    MailsTables,
    ModelsTables,
    ObjectsTables,
    OperationsTables,
    StatisticsTables,
    TelemetryTables,
    TransfersTables {}
