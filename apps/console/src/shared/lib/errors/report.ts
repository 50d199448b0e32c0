/**
 * Reports an error to the server; the code for it is loaded with the first one. `then` receives the id by which an
 * administrator finds the error, or null. Without an error, it only loads the code.
 */
export const report = (error?: unknown, then?: unknown): unknown =>
  import('./error-reports.ts').then(
    (reports) => reports.report(error, then),
    () => undefined,
  );
