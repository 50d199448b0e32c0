import type { ComponentType } from 'react';
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { namePages } from '../shared/hooks/use-page-title.ts';
import { loadWords } from '../shared/i18n/i18n.ts';
import { loadChunk } from '../shared/lib/browser/load-chunk.ts';
import { screens } from '../shared/lib/screens.ts';
import { routeAt } from './destinations.ts';
import { guardChoosing, guardLogin, guardRoot, guardRoute, guardSecondFactor } from './guard.ts';
import { loadShell } from './load-shell.ts';
import { CrashPage, NotFoundPage, PlainNotFoundPage } from './pages/error-pages.tsx';
import { Splash } from './pages/splash.tsx';
import { Root } from './root.tsx';
import { handleOf } from './route-handle.ts';
import {
  type AppRoute,
  flatRoutes,
  isBuilt,
  isListed,
  loadScreen,
  MANAGE_ROUTES,
  PUBLIC_ROUTES,
} from './routes/index.ts';
import { systemPageOf } from './routes/system-menu.ts';
import { requestFirstData } from './start/first-data.ts';

const pick = ({ path, titleKey, keys, who }: AppRoute) => ({ path, titleKey, keys, who });

/** Creates the console's router from the route table. */
export function createRouter() {
  screens.set(
    flatRoutes(MANAGE_ROUTES)
      .filter((route) => route.screen)
      .map((route) => ({ ...pick(route), listed: isListed(route) })),
  );
  const pages = flatRoutes(MANAGE_ROUTES).filter(isBuilt);
  namePages((path) => routeAt(path)?.titleKey);
  return createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: CrashPage,
      HydrateFallback: Splash,
      children: [
        { path: '/', loader: guardRoot },
        ...PUBLIC_ROUTES.map(publicRoute),
        {
          lazy: { Component: () => orFailing(async () => (await loadShell()).Shell) },
          ErrorBoundary: CrashPage,
          children: [
            ...pages.filter(({ path }) => systemPageOf(path) === null).map(manageRoute),
            {
              lazy: {
                Component: () =>
                  orFailing(async () => {
                    const frame = import('./pages/system/system-frame.tsx');
                    return (await Promise.all([frame, loadWords(['welcome'])]))[0].default;
                  }),
              },
              children: pages.filter(({ path }) => systemPageOf(path) !== null).map(manageRoute),
            },
            {
              path: '/manage/*',
              loader: ({ request }) => guardRoute(UNKNOWN, request),
              handle: handleOf(UNKNOWN),
              Component: NotFoundPage,
            },
          ],
        },
        { path: '/error', Component: CrashPage },
        { path: '*', Component: PlainNotFoundPage },
      ],
    },
  ]);
}

const UNKNOWN: AppRoute = { path: '/manage/*', titleKey: 'notFound', keys: [] };

function publicRoute(route: AppRoute): RouteObject {
  return {
    path: route.path,
    handle: handleOf(route),
    loader: publicLoader(route.path),
    ...screenOf(route),
  };
}

/** The loader of public pages whose content depends on whether the user is signed in. */
function publicLoader(path: string): RouteObject['loader'] {
  if (path === '/login') return ({ request }) => guardLogin(request);
  if (path === '/choose-password') return ({ request }) => guardChoosing(request);
  return path === '/second-factor' ? ({ request }) => guardSecondFactor(request) : undefined;
}

function manageRoute(route: AppRoute): RouteObject {
  return {
    path: route.path,
    handle: handleOf(route),
    async loader({ request, params }: LoaderFunctionArgs) {
      await guardRoute(route, request);
      requestFirstData(route.path, params, new URL(request.url).searchParams);
      return null;
    },
    // A change of filters in the URL does not need a new check.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    // An error in a page leaves the shell intact.
    ErrorBoundary: CrashPage,
    ...screenOf(route),
  };
}

/** The page of a route and its texts, loaded in parallel. */
function screenOf({ screen, words = [] }: AppRoute): Pick<RouteObject, 'lazy' | 'Component'> {
  // Redirects have none.
  if (!screen) return { Component: () => null };
  return {
    lazy: {
      Component: () =>
        orFailing(async () => {
          const [module] = await Promise.all([loadScreen(screen), loadWords(words)]);
          return module.default;
        }),
    },
  };
}

/**
 * A chunk of the console, or a component that throws when loading failed. The router shows nothing for a route whose
 * chunk is missing, but shows the error page for a component that throws.
 */
async function orFailing(fetchComponent: () => Promise<ComponentType>): Promise<ComponentType> {
  return await loadChunk(fetchComponent).catch((error: unknown) => () => {
    throw error;
  });
}
