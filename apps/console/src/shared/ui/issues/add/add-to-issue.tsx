import { loadWords } from '../../../i18n/i18n.ts';
import { lazyDialog } from '../../dialogs/lazy/lazy-dialog.tsx';
import type { AddToIssueProps } from './add-to-issue-dialog.tsx';

/** Loaded with its texts when something is first added to an issue. */
const AddToIssueDialog = lazyDialog(async () => {
  const [part] = await Promise.all([import('./add-to-issue-dialog.tsx'), loadWords(['issue-files', 'files'])]);
  return part;
});

/** The dialog that adds something to an issue. */
export function AddToIssue(props: AddToIssueProps) {
  return <AddToIssueDialog {...props} />;
}
