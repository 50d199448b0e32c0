import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { external } from '../lib/external.ts';

/** A page above the shown one; `name` is the name of its row, when it shows one. */
export interface ParentPage {
  path: string;
  name?: string | undefined;
}

/** The names of the rows that the visited pages show, by path. */
export const tabLabels = external<Record<string, string>>({});

/** The pages from which the visited pages were opened, by path, where it is not the one in the route table. */
export const pageParents = external<Record<string, ParentPage>>({});

/**
 * Adds the name of the shown row to the history tab of the page, to the title of the browser tab, and to the
 * breadcrumbs. `parent` replaces the page before it in the breadcrumbs.
 */
export function useTabLabel(label: string | undefined, parent?: ParentPage | null): void {
  const { pathname } = useLocation();
  const path = parent?.path;
  const name = parent?.name;
  useEffect(() => {
    if (label) tabLabels.set({ ...tabLabels.get(), [pathname]: label });
  }, [pathname, label]);
  useEffect(() => {
    if (path) pageParents.set({ ...pageParents.get(), [pathname]: { path, name } });
  }, [pathname, path, name]);
}
