import { brandColors } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { queryOf } from '../../shared/api/query.ts';
import { branding } from '../../shared/branding/branding.ts';

/** Keeps an open page up to date with the branding. An event refetches it; the page has the first one. */
export function useLiveBranding(): void {
  const { data } = useQuery({
    ...queryOf('readBranding', {}, { quiet: true }),
    initialData: branding.get,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useLayoutEffect(() => {
    if (data.color !== branding.get().color) showColor(data.color);
    branding.set(data);
  }, [data]);
}

/** Replaces the colors that the server wrote into the page. */
function showColor(color: string): void {
  document.getElementById('brand-colors')?.remove();
  if (color === '') return;
  const { light, lightHover, dark, darkHover } = brandColors(color);
  const style = document.createElement('style');
  style.id = 'brand-colors';
  const tokens = `--primary:light-dark(${light},${dark});--primary-hover:light-dark(${lightHover},${darkHover})`;
  style.textContent = `html:root{${tokens}}`;
  document.head.append(style);
}
