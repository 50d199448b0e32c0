import { ANY, follow } from '../../shared/live/topics.ts';

// Every page that names alarms, causes, remedies, labels or regions.
follow(
  'dictionary.changed',
  [
    ...(['listDictionary', 'listDictionaryChanges', 'readDictionaryNames', 'listAlarms', 'readAlarm'] as const),
    ...(['listRegionEntries', 'listRegions', 'listCustomers', 'readCustomer', 'listSites', 'readSite'] as const),
    'listIssueLabels',
    ...(['rankAlarms', 'listDeviceEvents', 'listInbox', 'listAlarmCodes', 'readRuntime', 'listMarks'] as const),
  ],
  ANY,
);
