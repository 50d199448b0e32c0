import { accessEndpoints } from './access.ts';
import { accountEndpoints } from './account.ts';
import { alarmEndpoints } from './alarms.ts';
import { auditEndpoints } from './audit.ts';
import { batchEndpoints } from './batches.ts';
import { dataItemEndpoints } from './data-items.ts';
import { deviceCareEndpoints } from './device-care.ts';
import { deviceImportEndpoints } from './device-import.ts';
import { deviceModelEndpoints } from './device-models.ts';
import { explainEndpoints } from './explain.ts';
import { filesEndpoints } from './files.ts';
import { fleetEndpoints } from './fleet.ts';
import { listEndpoints } from './lists.ts';
import { mailEndpoints } from './mails.ts';
import { menusEndpoints } from './menus.ts';
import { onlineEndpoints } from './online.ts';
import { operationsEndpoints } from './operations.ts';
import { parameterEndpoints } from './parameters.ts';
import { peopleEndpoints } from './people.ts';
import { placesEndpoints } from './places.ts';
import { privacyEndpoints } from './privacy.ts';
import { recoveryEndpoints } from './recovery.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { statisticsEndpoints } from './statistics.ts';
import { streamEndpoints } from './stream.ts';
import { telemetryEndpoints } from './telemetry.ts';
import { transferEndpoints } from './transfers.ts';
import { viewingEndpoints } from './viewing.ts';

export * from './access.ts';
export * from './account.ts';
export * from './alarms.ts';
export * from './audit.ts';
export * from './batches.ts';
export * from './codes.ts';
export * from './constants.ts';
export * from './data-items.ts';
export * from './device-care.ts';
export * from './device-import.ts';
export * from './device-models.ts';
export * from './endpoint.ts';
export * from './execution-reasons.ts';
export * from './explain.ts';
export * from './fields.ts';
export * from './files.ts';
export * from './fleet.ts';
export * from './interface-names.ts';
export * from './lists.ts';
export * from './mails.ts';
export * from './menus.ts';
export * from './online.ts';
export * from './operations.ts';
export * from './parameters.ts';
export * from './people.ts';
export * from './permissions.ts';
export * from './places.ts';
export * from './privacy.ts';
export * from './range-faults.ts';
export * from './readiness.ts';
export * from './recovery.ts';
export * from './second-factor.ts';
export * from './session-ends.ts';
export * from './statistics.ts';
export * from './stream.ts';
export * from './telemetry.ts';
export * from './transfer-reasons.ts';
export * from './transfers.ts';
export * from './viewing.ts';

/** Every call of the product. The server serves all of these and nothing else; the console calls nothing else. */
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
  ...peopleEndpoints,
  ...listEndpoints,
  ...recoveryEndpoints,
  ...secondFactorEndpoints,
  ...mailEndpoints,
  ...onlineEndpoints,
  ...privacyEndpoints,
  ...statisticsEndpoints,
  ...menusEndpoints,
  ...explainEndpoints,
  ...viewingEndpoints,
  ...filesEndpoints,
  ...streamEndpoints,
};
