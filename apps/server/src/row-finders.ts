import { accessRows } from './access/policy/access-rows.ts';
import { alarmRows } from './alarms/alarm-rows.ts';
import { applicationRows } from './applications/application-rows.ts';
import { attachmentRows } from './attachments/attachment-rows.ts';
import { documentRows } from './documents/document-rows.ts';
import { pictureRows } from './files/picture-rows.ts';
import { fleetRows } from './fleet/fleet-rows.ts';
import { issueRows } from './issues/issue-rows.ts';
import { linkRows } from './links/link-rows.ts';
import { channelRows } from './messages/index.ts';
import { operationRows } from './operations/operation-rows.ts';
import type { RowFinders } from './ports/policy-rows.ts';
import { shareRows } from './shares/share-rows.ts';

/**
 * The finders for the rows in a request, for every kind of row that a policy can name. Each module provides its own.
 */
export const ROW_FINDERS: RowFinders = {
  ...accessRows,
  ...fleetRows,
  ...alarmRows,
  ...operationRows,
  ...pictureRows,
  ...documentRows,
  ...attachmentRows,
  ...shareRows,
  ...issueRows,
  ...linkRows,
  ...channelRows,
  ...applicationRows,
};
