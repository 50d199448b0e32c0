import { lazy, Suspense } from 'react';
import { loadWords } from '../../i18n/i18n.ts';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { SkeletonRows } from '../states/skeleton-rows.tsx';

/** Loaded with the names of causes and remedies. */
const Table = lazy(() =>
  loadChunk(async () => {
    const [part] = await Promise.all([import('./code-ends-table.tsx'), loadWords(['explanations', 'issues'])]);
    return part;
  }),
);

/** What closed issues of codes had as cause and remedy; nothing for users who may not list issues. */
export function CodeEnds({ codes }: { codes: readonly string[] }) {
  const mayListIssues = usePermitted(['auth_issue_list']);
  if (!mayListIssues || codes.length === 0) return null;
  return (
    <Suspense fallback={<SkeletonRows rows={2} />}>
      <Table codes={codes} />
    </Suspense>
  );
}
