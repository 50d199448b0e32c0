import { accessEndpoints } from './access/access.ts';
import { accountEndpoints } from './access/account.ts';
import { explainEndpoints } from './access/explain.ts';
import { impersonationEndpoints } from './access/impersonation.ts';
import { menusEndpoints } from './access/menus.ts';
import { onlineEndpoints } from './access/online.ts';
import { peopleEndpoints } from './access/people.ts';
import { privacyEndpoints } from './access/privacy.ts';
import { recoveryEndpoints } from './access/recovery.ts';
import { secondFactorEndpoints } from './access/second-factor.ts';
import { alarmEndpoints } from './alarms.ts';
import { applicationEndpoints } from './applications/applications.ts';
import { applicationWebhookEndpoints } from './applications/webhooks.ts';
import { attachmentEndpoints } from './attachments/attachments.ts';
import { folderEndpoints } from './attachments/folders.ts';
import { auditEndpoints } from './audit.ts';
import { categoryEndpoints } from './documents/categories.ts';
import { documentEndpoints } from './documents/documents.ts';
import { errorEndpoints } from './errors/errors.ts';
import { deviceCareEndpoints } from './fleet/device-care.ts';
import { deviceImportEndpoints } from './fleet/device-import.ts';
import { filesEndpoints } from './fleet/files.ts';
import { fleetEndpoints } from './fleet/fleet.ts';
import { placesEndpoints } from './fleet/places.ts';
import { issueBulkEndpoints, issueEndpoints } from './issues/issues.ts';
import { newIssueUserEndpoints } from './issues/people.ts';
import { publicReportEndpoints, reportLinkEndpoints } from './issues/reports.ts';
import { issueViewEndpoints } from './issues/views.ts';
import { linkEndpoints } from './links/links.ts';
import { listEndpoints } from './list-endpoints.ts';
import { streamEndpoints } from './live/stream.ts';
import { mailEndpoints } from './mails.ts';
import { channelEndpoints } from './messages/channels.ts';
import { messageEndpoints } from './messages/messages.ts';
import { onCallEndpoints } from './messages/on-call.ts';
import { roleMessageEndpoints } from './messages/role-messages.ts';
import { dataItemEndpoints } from './models/data-items.ts';
import { deviceModelEndpoints } from './models/device-models.ts';
import { batchEndpoints } from './operations/batches.ts';
import { operationsEndpoints } from './operations/operations.ts';
import { parameterEndpoints } from './operations/parameters.ts';
import { transferEndpoints } from './operations/transfers.ts';
import { searchEndpoints } from './search.ts';
import { publicShareEndpoints } from './shares/public-shares.ts';
import { shareEndpoints } from './shares/shares.ts';
import { supportEndpoints } from './support.ts';
import { dictionaryEndpoints } from './system/dictionaries.ts';
import { systemParameterEndpoints } from './system/parameters.ts';
import { systemEndpoints } from './system/system.ts';
import { statisticsEndpoints } from './telemetry/statistics.ts';
import { telemetryEndpoints } from './telemetry/telemetry.ts';
import { tokenEndpoints } from './tokens/tokens.ts';

export * from './access/access.ts';
export * from './access/account.ts';
export * from './access/explain.ts';
export * from './access/impersonation.ts';
export * from './access/menus.ts';
export * from './access/online.ts';
export * from './access/people.ts';
export * from './access/permissions.ts';
export * from './access/privacy.ts';
export * from './access/recovery.ts';
export * from './access/second-factor.ts';
export * from './alarms.ts';
export * from './applications/applications.ts';
export * from './applications/webhooks.ts';
export * from './attachments/attachments.ts';
export * from './attachments/folders.ts';
export * from './audit.ts';
export * from './codes.ts';
export * from './constants.ts';
export * from './documents/categories.ts';
export * from './documents/documents.ts';
export * from './endpoint.ts';
export * from './errors/errors.ts';
export * from './fields.ts';
export * from './fleet/customer.ts';
export * from './fleet/device-care.ts';
export * from './fleet/device-import.ts';
export * from './fleet/files.ts';
export * from './fleet/fleet.ts';
export * from './fleet/places.ts';
export * from './fleet/site.ts';
export * from './issues/issue-report.ts';
export * from './issues/issues.ts';
export * from './issues/people.ts';
export * from './issues/reports.ts';
export * from './issues/views.ts';
export * from './links/links.ts';
export * from './list-endpoints.ts';
export * from './lists.ts';
export * from './live/events.ts';
export * from './live/stream.ts';
export * from './mails.ts';
export * from './messages/channels.ts';
export * from './messages/message-titles.ts';
export * from './messages/messages.ts';
export * from './messages/on-call.ts';
export * from './messages/role-messages.ts';
export * from './models/data-items.ts';
export * from './models/device-models.ts';
export * from './models/range-faults.ts';
export * from './open/open.ts';
export * from './open/open-endpoint.ts';
export * from './open/open-events.ts';
export * from './open/openapi.ts';
export * from './operations/batches.ts';
export * from './operations/execution-reasons.ts';
export * from './operations/operations.ts';
export * from './operations/parameters.ts';
export * from './operations/session-ends.ts';
export * from './operations/transfer-reasons.ts';
export * from './operations/transfers.ts';
export * from './policy/decide.ts';
export * from './policy/decide-session.ts';
export * from './policy/policy.ts';
export * from './policy/policy-levels.ts';
export * from './policy/role-preview.ts';
export * from './readiness.ts';
export * from './resource/resource.ts';
export * from './search.ts';
export * from './shares/issue-shares.ts';
export * from './shares/public-shares.ts';
export * from './shares/shares.ts';
export * from './support.ts';
export * from './system/dictionaries.ts';
export * from './system/parameters.ts';
export * from './system/system.ts';
export * from './telemetry/statistics.ts';
export * from './telemetry/telemetry.ts';
export * from './texts/logged-texts.ts';
export * from './texts/notice-texts.ts';
export * from './texts/objects.ts';
export * from './tokens/session-decision.ts';
export * from './tokens/tokens.ts';

/** All endpoints of the product. The server serves exactly these, and the console calls no others. */
export const ENDPOINTS = {
  ...accessEndpoints,
  ...accountEndpoints,
  ...placesEndpoints,
  ...deviceCareEndpoints,
  ...deviceImportEndpoints,
  ...fleetEndpoints,
  ...dataItemEndpoints,
  ...deviceModelEndpoints,
  ...telemetryEndpoints,
  ...alarmEndpoints,
  ...operationsEndpoints,
  ...parameterEndpoints,
  ...batchEndpoints,
  ...transferEndpoints,
  ...auditEndpoints,
  ...errorEndpoints,
  ...peopleEndpoints,
  ...listEndpoints,
  ...recoveryEndpoints,
  ...secondFactorEndpoints,
  ...mailEndpoints,
  ...messageEndpoints,
  ...onCallEndpoints,
  ...roleMessageEndpoints,
  ...channelEndpoints,
  ...onlineEndpoints,
  ...privacyEndpoints,
  ...statisticsEndpoints,
  ...menusEndpoints,
  ...explainEndpoints,
  ...impersonationEndpoints,
  ...filesEndpoints,
  ...categoryEndpoints,
  ...documentEndpoints,
  ...attachmentEndpoints,
  ...folderEndpoints,
  ...issueEndpoints,
  ...issueBulkEndpoints,
  ...issueViewEndpoints,
  ...newIssueUserEndpoints,
  ...publicReportEndpoints,
  ...reportLinkEndpoints,
  ...streamEndpoints,
  ...searchEndpoints,
  ...shareEndpoints,
  ...supportEndpoints,
  ...publicShareEndpoints,
  ...linkEndpoints,
  ...applicationEndpoints,
  ...systemEndpoints,
  ...systemParameterEndpoints,
  ...dictionaryEndpoints,
  ...tokenEndpoints,
  ...applicationWebhookEndpoints,
};
