import type { OpenMatters } from '../../ports/devices/device-directory.ts';
import type { Question } from '../ocpp/questions.ts';

/** TriggerMessage (OCPP 1.6 §5.17): without a connector, statuses are those of all. */
export function questionsOf({ updating, uploading }: OpenMatters): Question[] {
  return [
    trigger('StatusNotification'),
    ...(updating ? [trigger('FirmwareStatusNotification')] : []),
    ...(uploading === 'diagnostics' ? [trigger('DiagnosticsStatusNotification')] : []),
    // Logs that were asked for by GetLog of the security extension are reported by it.
    ...(uploading === 'security' ? [trigger('LogStatusNotification', 'ExtendedTriggerMessage')] : []),
  ];
}

function trigger(message: string, action = 'TriggerMessage'): Question {
  return { action, message, payload: { requestedMessage: message } };
}
