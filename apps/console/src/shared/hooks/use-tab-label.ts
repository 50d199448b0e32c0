import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { external } from '../lib/external.ts';

/** The names of the rows that the visited pages show, by path. */
export const tabLabels = external<Record<string, string>>({});

/** Adds the name of the shown row to the history tab of the page and to the title of the browser tab. */
export function useTabLabel(label: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (label) tabLabels.set({ ...tabLabels.get(), [pathname]: label });
  }, [pathname, label]);
}
