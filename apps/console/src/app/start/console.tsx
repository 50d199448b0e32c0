import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '../../shared/api/query.ts';
import { i18n, startWords } from '../../shared/i18n/i18n.ts';
import { createRouter } from '../router.tsx';
import { draw } from './root.ts';

/** Starts the console at the current URL. With `keep`, the page stays as it is until the first screen is loaded. */
export async function startConsole({ keep = false } = {}): Promise<void> {
  // The router starts to load the first page while the texts are loading.
  const words = i18n.isInitialized ? undefined : startWords();
  const router = createRouter();
  await words;
  if (keep) await loaded(router);
  draw(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

function loaded(router: ReturnType<typeof createRouter>): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
    if (router.state.initialized) {
      stop();
      resolve();
    }
  });
}
