import { ANY, follow } from '../../shared/live/topics.ts';

// Every page that names alarms, causes or remedies.
follow(
  'dictionary.changed',
  [
    ...(['listDictionary', 'listDictionaryChanges', 'readDictionaryNames', 'listAlarms', 'readAlarm'] as const),
    ...(['rankAlarms', 'listDeviceEvents', 'listInbox', 'listAlarmCodes', 'readRuntime', 'listMarks'] as const),
  ],
  ANY,
);
