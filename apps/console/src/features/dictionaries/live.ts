import { ANY, follow } from '../../shared/live/topics.ts';

// Every page that names alarms, causes, remedies or labels.
follow(
  'dictionary.changed',
  [
    ...([
      'listDictionary',
      'listDictionaryChanges',
      'readDictionaryNames',
      'listAlarms',
      'readAlarm',
      'listIssueLabels',
    ] as const),
    ...(['rankAlarms', 'listDeviceEvents', 'listInbox', 'listAlarmCodes', 'readRuntime', 'listMarks'] as const),
  ],
  ANY,
);
