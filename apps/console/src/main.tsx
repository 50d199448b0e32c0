import './shared/theme/tokens.css';
import './shared/theme/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { watchGlobalErrors } from './app/global-errors.ts';
import { createRouter } from './app/router.tsx';
import { queryClient } from './shared/api/query.ts';
import { startWords } from './shared/i18n/i18n.ts';

watchGlobalErrors();
// The router starts to load the first page while the texts are loading.
const words = startWords();
const router = createRouter();
await words;

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
