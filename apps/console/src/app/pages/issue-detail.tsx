import type { IssueDetail } from '@chargehand/contract';
import IssuePage, { type IssueParts } from '../../features/issues/detail/issue-page.tsx';
import { NotifiedButton } from '../../features/messages/reasons/notified-button.tsx';
import { useLate } from '../../shared/hooks/late/use-late.ts';
import { loadWords } from '../../shared/i18n/i18n.ts';
import { loadChunk } from '../../shared/lib/browser/load-chunk.ts';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';

const loadLinks = () =>
  loadChunk(async () => {
    const [part] = await Promise.all([import('../../features/links/issue/issue-links-tab.tsx'), loadWords(['links'])]);
    return part;
  });

/** The page of an issue belongs to the feature `issues`. Parts of other features are added here. */
const PARTS: IssueParts = {
  messages: ({ issue: { id, key, title } }) => <NotifiedButton of={{ kind: 'issue', id, name: `${key} ${title}` }} />,
  links: IssueLinks,
};

/** Loaded when its tab is first opened. */
function IssueLinks({ issue }: { issue: IssueDetail }) {
  const Tab = useLate(loadLinks);
  return Tab ? <Tab issue={issue} /> : <SkeletonRows rows={6} />;
}

export default function IssueDetailScreen() {
  return <IssuePage parts={PARTS} />;
}
