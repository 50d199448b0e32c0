// The queries of each topic. Each feature registers its own.
import '../../features/account/live.ts';
import '../../features/alarms/live.ts';
import '../../features/attachments/live.ts';
import '../../features/audit/live.ts';
import '../../features/dictionaries/live.ts';
import '../../features/documents/live.ts';
import '../../features/fleet/live.ts';
import '../../features/issues/live.ts';
import '../../features/links/live.ts';
import '../../features/operations/live.ts';
import '../../features/people/live.ts';
import '../../features/messages/live.ts';
import '../../features/shares/live.ts';
import '../../features/system/live.ts';
import '../../features/telemetry/live.ts';
import '../../features/transfers/live.ts';
