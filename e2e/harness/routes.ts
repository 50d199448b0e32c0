/** The fields of the console's route table that journeys use. */
interface Route {
  path: string;
  titleKey: string;
  screen?: unknown;
  children?: readonly Route[];
}

interface RouteTable {
  PUBLIC_ROUTES: readonly Route[];
  MANAGE_ROUTES: readonly Route[];
  flatRoutes(routes: readonly Route[]): Route[];
}

// A name that is only known at run time, because the table imports every page of the console, which is compiled for a
// browser.
const table = (await import(new URL('../../apps/console/src/app/routes/index.ts', import.meta.url).href)) as RouteTable;

/** Every route of the console with a page of its own, as in the router. */
export const PAGES: Route[] = table
  .flatRoutes([...table.PUBLIC_ROUTES, ...table.MANAGE_ROUTES])
  .filter(({ screen }) => screen !== undefined);
