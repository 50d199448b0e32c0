import type { ComponentProps } from 'react';
import { loadWords } from '../../../../shared/i18n/i18n.ts';
import { lazyDialog } from '../../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import type { ShareIssueDialog } from './share-issue-dialog.tsx';

const Dialog = lazyDialog(async () => {
  const [part] = await Promise.all([import('./share-issue-dialog.tsx'), loadWords(['shares'])]);
  return { default: part.ShareIssueDialog };
});

/** The links of an issue for people outside. Loaded with its texts when it is opened. */
export function ShareIssue(props: ComponentProps<typeof ShareIssueDialog>) {
  return <Dialog {...props} />;
}
