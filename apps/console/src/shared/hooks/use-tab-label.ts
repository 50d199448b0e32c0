import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { external } from '../lib/external.ts';

/** What the pages of this session call the thing they show, by path. */
export const tabLabels = external<Record<string, string>>({});

/** Adds the name of the thing shown to the page's history tab: "Device details PILE-0007". */
export function useTabLabel(label: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (label) tabLabels.set({ ...tabLabels.get(), [pathname]: label });
  }, [pathname, label]);
}
