import type { Scope } from '../access/scope.ts';

/**
 * What is put into a folder gets the site of the folder. In a folder of all sites it keeps its own: being moved there
 * does not show it to more people.
 */
export function siteWithin(own: number | null, folder: number | null): number | null {
  return folder ?? own;
}

/** True when something of one site is put into a folder of another: its readers would be other people. */
export function isOfOtherSite(own: number | null, folder: number | null): boolean {
  return own !== null && folder !== null && own !== folder;
}

/** Does a user see files and folders of a site? Those without a site are for all sites of their customer. */
export function seesFilesOf({ sites }: Scope, siteId: number | null): boolean {
  return siteId === null || sites === 'all' || sites.includes(siteId);
}

/**
 * May a user with this scope change what belongs to a site, or to all sites of its customer (null)? Users with assigned
 * sites read what is for all sites and change only what is of their own.
 */
export function mayChangeOfSite({ sites }: Scope, siteId: number | null): boolean {
  return sites === 'all' || (siteId !== null && sites.includes(siteId));
}
