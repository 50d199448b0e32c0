import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryOf } from '../../shared/api/query.ts';
import { branding } from '../../shared/branding/branding.ts';

/** Keeps an open page up to date with the branding. An event refetches it; the page has the first one. */
export function useLiveBranding(): void {
  const { data } = useQuery({
    ...queryOf('readBranding', {}, { quiet: true }),
    initialData: branding.get,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data.color === branding.get().color) return branding.set(data);
    import('./show-brand-color.ts')
      .then(({ showBrandColor }) => {
        showBrandColor(data.color);
        // The theme of the components reads the colors of the page.
        branding.set(data);
      })
      .catch((error: unknown) => console.warn('The color of the installation cannot be shown', error));
  }, [data]);
}
