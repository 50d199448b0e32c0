import { accessPlaces, accessRows } from './access/policy/access-rows.ts';
import { alarmRows } from './alarms/alarm-rows.ts';
import { applicationRows } from './applications/application-rows.ts';
import { attachmentPlaces, attachmentRows } from './attachments/attachment-rows.ts';
import { documentPlaces, documentRows } from './documents/document-rows.ts';
import { pictureRows } from './files/picture-rows.ts';
import { fleetPlaces, fleetRows } from './fleet/fleet-rows.ts';
import { issuePlaces, issueRows } from './issues/issue-rows.ts';
import { linkRows } from './links/link-rows.ts';
import { channelRows } from './messages/index.ts';
import { operationRows } from './operations/operation-rows.ts';
import type { RowFinders, RowPlaces } from './ports/policy-rows.ts';
import { sharePlaces, shareRows } from './shares/share-rows.ts';
import { tokenRows } from './tokens/token-rows.ts';

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
  ...tokenRows,
};

/** What explanations show about rows, for every kind that a question can name. */
export const ROW_PLACES: RowPlaces = {
  ...accessPlaces,
  ...fleetPlaces,
  ...documentPlaces,
  ...attachmentPlaces,
  ...sharePlaces,
  ...issuePlaces,
};
