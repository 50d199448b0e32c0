import type { MissingReports } from '../../ports/devices/device-directory.ts';
import type { ServerRequest } from '../ocpp/server-requests.ts';

/** TriggerMessage (OCPP 1.6 §5.17): without a connector, all statuses are requested. */
export function requestsFor({ updating, uploading }: MissingReports, booted: boolean): ServerRequest[] {
  return [
    ...(booted ? [] : [trigger('StatusNotification')]),
    ...(updating ? [trigger('FirmwareStatusNotification')] : []),
    ...(uploading === 'diagnostics' ? [trigger('DiagnosticsStatusNotification')] : []),
    // Logs that were requested by GetLog of the security extension are reported by its own message.
    ...(uploading === 'security' ? [trigger('LogStatusNotification', 'ExtendedTriggerMessage')] : []),
  ];
}

function trigger(message: string, action = 'TriggerMessage'): ServerRequest {
  return { action, message, payload: { requestedMessage: message } };
}
