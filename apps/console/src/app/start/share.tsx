import { StrictMode } from 'react';
import SharePage from '../../features/shares/visitor/share-page.tsx';
import { loadWords, startWords } from '../../shared/i18n/i18n.ts';
import { draw } from './root.ts';

/** Shows the page of a share without the router and the query library: its visitors have no account and see no more. */
export async function startShare(): Promise<void> {
  await startWords();
  await loadWords(['share']);
  draw(
    <StrictMode>
      <SharePage />
    </StrictMode>,
  );
}
