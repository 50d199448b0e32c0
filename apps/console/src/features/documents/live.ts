import { ANY, follow } from '../../shared/live/topics.ts';

follow(
  'documents.changed',
  [
    ...(['readDocument', 'listDocuments', 'readDocumentHome', 'searchDocuments'] as const),
    ...(['listCategories', 'listUnexplainedCodes', 'explainCodes'] as const),
  ],
  ANY,
);
// The figures of a code cover 90 days: they are not urgent.
follow('device.alarms', 'readCodeStatistics', { ...ANY, again: () => 'later' });
