import { ANY, follow } from '../../shared/live/topics.ts';

follow('issue.changed', ['listIssues', 'readIssueBoard', 'readIssueTimes'], ANY);
follow('issue.changed', ['readIssue']);
follow('issue.entries', ['listIssueEntries']);
