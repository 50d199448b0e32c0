import { useMatches } from 'react-router';
import type { AppRoute, TitleKey } from './routes/index.ts';

/** The data of a matched route for the shell. */
export interface RouteHandle {
  titleKey: TitleKey;
  /** the path of the route's table entry */
  route: string;
}

export function handleOf(route: AppRoute): RouteHandle {
  return { titleKey: route.titleKey, route: route.path };
}

/** The handle of the current page. */
export function useRouteHandle(): RouteHandle | undefined {
  return useMatches().findLast((match) => match.handle)?.handle as RouteHandle | undefined;
}
