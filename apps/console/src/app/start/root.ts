import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';

let root: Root | undefined;

/** Renders the page, in place of what it showed before. */
export function draw(content: ReactNode): void {
  if (!root) {
    const element = document.getElementById('root');
    if (!element) throw new Error('The page has no #root');
    root = createRoot(element);
  }
  root.render(content);
}
