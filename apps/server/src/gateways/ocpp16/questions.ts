import type { OpenMatters } from '../../ports/devices/device-directory.ts';
import type { Question } from '../ocpp/questions.ts';

/** TriggerMessage (OCPP 1.6 §5.17): without a connector, all statuses are requested. */
export function questionsOf({ updating, uploading }: OpenMatters): Question[] {
  return [
    trigger('StatusNotification'),
    ...(updating ? [trigger('FirmwareStatusNotification')] : []),
    ...(uploading === 'diagnostics' ? [trigger('DiagnosticsStatusNotification')] : []),
    // Logs that were requested by GetLog of the security extension are reported by its own message.
    ...(uploading === 'security' ? [trigger('LogStatusNotification', 'ExtendedTriggerMessage')] : []),
  ];
}

function trigger(message: string, action = 'TriggerMessage'): Question {
  return { action, message, payload: { requestedMessage: message } };
}
