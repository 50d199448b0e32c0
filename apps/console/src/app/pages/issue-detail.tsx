import IssuePage, { type IssueParts } from '../../features/issues/detail/issue-page.tsx';
import { NotifiedButton } from '../../features/messages/reasons/notified-button.tsx';

/** The page of an issue belongs to the feature `issues`. Parts of other features are added here. */
const PARTS: IssueParts = {
  messages: ({ issue: { id, number, title } }) => (
    <NotifiedButton of={{ kind: 'issue', id, name: `#${number} ${title}` }} />
  ),
};

export default function IssueDetailScreen() {
  return <IssuePage parts={PARTS} />;
}
