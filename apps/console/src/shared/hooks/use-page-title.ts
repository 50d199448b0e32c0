import { useTranslation } from 'react-i18next';
import type { Words } from '../i18n/words.ts';

type TitleKey = keyof Words['routes'];

let titleKeyOf: (path: string) => TitleKey | undefined = () => undefined;

/** Tells what the pages of the console are called; for the router, which alone knows them. */
export function namePages(find: (path: string) => TitleKey | undefined): void {
  titleKeyOf = find;
}

/** What the page of a path is called, in the language of the user; the path itself where there is no such page. */
export function usePageTitle(): (path: string) => string {
  const { t } = useTranslation('routes');
  return (path) => {
    const key = titleKeyOf(path);
    return key ? t(key) : path;
  };
}
