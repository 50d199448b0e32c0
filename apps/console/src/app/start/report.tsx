import { StrictMode } from 'react';
import { loadWords, startWords } from '../../shared/i18n/i18n.ts';
import Report from '../pages/report-page.tsx';
import { draw } from './root.ts';

/** Shows the page of reports without the router and the query library: reporters have no account and see no more. */
export async function startReport(): Promise<void> {
  await startWords();
  await loadWords(['report']);
  draw(
    <StrictMode>
      <Report />
    </StrictMode>,
  );
}
