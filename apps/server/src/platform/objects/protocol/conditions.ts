import type { ObjectFacts } from '../store.ts';
import { S3Problem } from './problem.ts';

/** Conditions of a request: RFC 9110 section 13.1; with a prefix, conditions on the source of a copy. */
export interface Conditions {
  match?: string | undefined;
  noneMatch?: string | undefined;
  modifiedSince?: Date | undefined;
  unmodifiedSince?: Date | undefined;
}

type Version = Pick<ObjectFacts, 'etag' | 'modifiedAt'>;

/** Reads `<prefix>if-match` and the three other headers. Invalid dates are ignored, as the RFC requires. */
export function conditionsOf(headers: Record<string, string | undefined>, prefix = ''): Conditions {
  return {
    match: headers[`${prefix}if-match`],
    noneMatch: headers[`${prefix}if-none-match`],
    modifiedSince: dateOf(headers[`${prefix}if-modified-since`]),
    unmodifiedSince: dateOf(headers[`${prefix}if-unmodified-since`]),
  };
}

/** True when a request carries any condition. */
export function hasConditions(conditions: Conditions): boolean {
  return Object.values(conditions).some((value) => value !== undefined);
}

/**
 * Evaluates conditions in the order of RFC 9110 section 13.2.2: dates count only without a corresponding ETag
 * condition. `notModified` means 304 for a GET and 412 for other requests.
 */
export function evaluate(conditions: Conditions, found: Version | null): 'met' | 'notModified' | 'failed' {
  const { match, noneMatch, modifiedSince, unmodifiedSince } = conditions;
  if (match !== undefined) {
    if (!found || !includesTag(match, found.etag, 'strong')) return 'failed';
  } else if (unmodifiedSince && found && seconds(found.modifiedAt) > seconds(unmodifiedSince)) return 'failed';
  if (noneMatch !== undefined) {
    if (found && includesTag(noneMatch, found.etag, 'weak')) return 'notModified';
  } else if (modifiedSince && found && seconds(found.modifiedAt) <= seconds(modifiedSince)) return 'notModified';
  return 'met';
}

/**
 * Checks the conditions of a writing request.
 * @throws S3Problem PreconditionFailed; NoSuchKey when a version must match and there is no object
 */
export function requireMet(conditions: Conditions, found: Version | null): void {
  if (conditions.match !== undefined && !found) throw new S3Problem('NoSuchKey');
  if (evaluate(conditions, found) !== 'met') throw new S3Problem('PreconditionFailed');
}

function includesTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  return list.split(',').some((one) => {
    const tag = one.trim();
    if (tag === '*') return true;
    if (tag.startsWith('W/')) return comparison === 'weak' && bare(tag.slice(2)) === etag;
    return bare(tag) === etag;
  });
}

/** Tools send ETags with and without quotes. */
function bare(tag: string): string {
  return tag.replace(/^"(.*)"$/, '$1');
}

/** HTTP dates have no fractions of a second. */
function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

function dateOf(header: string | undefined): Date | undefined {
  const date = new Date(header ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
