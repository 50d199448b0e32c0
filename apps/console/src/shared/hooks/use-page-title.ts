import { useTranslation } from 'react-i18next';
import type { Words } from '../i18n/words.ts';

type TitleKey = keyof Words['routes'];

let titleKeyOf: (path: string) => TitleKey | undefined = () => undefined;

/** Registers the function for page titles. For the router, which knows them. */
export function namePages(find: (path: string) => TitleKey | undefined): void {
  titleKeyOf = find;
}

/** The title of a path's page in the user's language; the path itself when there is no such page. */
export function usePageTitle(): (path: string) => string {
  const { t } = useTranslation('routes');
  return (path) => {
    const key = titleKeyOf(path);
    return key ? t(key) : path;
  };
}
