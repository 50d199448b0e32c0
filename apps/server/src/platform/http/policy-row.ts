/** A row that a request names and its caller may see. */
export interface PolicyRow {
  /** the ID in the request */
  id: number | string;
  /** the customer that owns the row; null for rows of the platform */
  customerId: number | null;
}

/**
 * What handlers get about rows of each kind. The platform knows only `PolicyRow`; a module adds what its handlers need:
 * `declare module '.../platform/http/policy-row.ts' { interface PolicyRows { site: VisibleSite } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add the kinds of rows
export interface PolicyRows {}

/** A row as the handler of an endpoint with this policy receives it. */
export type RowOf<P> = P extends { row: { object: infer T } }
  ? T extends keyof PolicyRows
    ? PolicyRows[T]
    : PolicyRow
  : never;
