/** What the journeys need of the console's route table. */
interface Route {
  path: string;
  titleKey: string;
  redirectTo?: string;
  children?: readonly Route[];
}

interface RouteTable {
  PUBLIC_ROUTES: readonly Route[];
  MANAGE_ROUTES: readonly Route[];
  flatRoutes(routes: readonly Route[]): Route[];
}

// Named at run time only: the table leads to every screen of the console, which is compiled for a browser.
const table = (await import(new URL('../../apps/console/src/app/routes.ts', import.meta.url).href)) as RouteTable;

/** Every route of the console with a page of its own, as the router writes them. */
export const PAGES: Route[] = table
  .flatRoutes([...table.PUBLIC_ROUTES, ...table.MANAGE_ROUTES])
  .filter(({ redirectTo }) => redirectTo === undefined);

const unbuilt = (await import(new URL('../../apps/console/src/app/not-available.ts', import.meta.url).href)) as {
  NOT_AVAILABLE: readonly string[];
};

/** The routes whose screens are not built yet: one page stands for all of them. */
export const notAvailable = unbuilt.NOT_AVAILABLE;
