import { pinyin } from 'virtual:pinyin';
import { holdsAll } from '@chargehand/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import english from '../../locales/en-US/routes.json';
import chinese from '../../locales/zh-CN/routes.json';
import { isAmong } from '../../shared/session/is-among.ts';
import { holderOf, useSession } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { type AppRoute, isListed, MANAGE_ROUTES, type TitleKey } from '../routes/index.ts';
import type { Entry } from './entries.ts';
import type { Named } from './match-names.ts';

/** Pages that nobody opens by name: they explain something, or show a selection. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '/manage/noauth',
  '/manage/welcome',

  '/manage/device/labels',
]);

/** The pages that the user may open and that need no parameter, with their names in both languages and in pinyin. */
export function usePages(): readonly (Entry & Named)[] {
  const { t } = useTranslation('routes');
  const holder = holderOf(useSession());
  const { user } = useUser();
  return useMemo(
    () =>
      withAreas(MANAGE_ROUTES)
        .filter(
          ({ route }) =>
            isListed(route) && !LEFT_OUT.has(route.path) && holdsAll(holder, route.keys) && isAmong(route.who, user),
        )
        .map(({ route: { path, titleKey }, area }) => ({
          ...{ key: path, title: t(titleKey), to: path.replaceAll(/\/:\w+\?/g, '') },
          ...(area === null ? {} : { within: t(area) }),
          names: [...namesOf(titleKey), ...(area === null ? [] : namesOf(area))],
        })),
    [t, holder, user],
  );
}

/** The routes with the title of the area that they are listed in; null at the top. */
function withAreas(
  routes: readonly AppRoute[],
  area: TitleKey | null = null,
): { route: AppRoute; area: TitleKey | null }[] {
  return routes.flatMap((route) => [{ route, area }, ...withAreas(route.children ?? [], area ?? route.titleKey)]);
}

function namesOf(titleKey: TitleKey): string[] {
  return [english[titleKey], chinese[titleKey], pinyin.pages[titleKey] ?? ''];
}
