import { endpoints } from 'virtual:endpoints';
import type { ENDPOINTS } from '@chargehand/contract';
import { i18n } from '../i18n/i18n.ts';
import { ApiProblem } from './problem.ts';

/**
 * The method and path of an endpoint that needs a session. Only pages that use them load those of rare pages.
 * @throws ApiProblem when they cannot be loaded
 */
export async function placeOf(name: keyof typeof ENDPOINTS): Promise<readonly [method: string, path: string]> {
  const place = endpoints[name] ?? (await rareEndpoints())[name];
  if (!place) throw new Error(`There is no endpoint ${name}`);
  return place;
}

let rare: typeof endpoints | undefined;

async function rareEndpoints() {
  try {
    rare ??= (await import('virtual:more-endpoints')).endpoints;
    return rare;
  } catch {
    throw new ApiProblem('network', i18n.t('com_error_net'));
  }
}
