import { ENDPOINTS, type Endpoint } from '@chargehand/contract';

/** The areas of the contract with their own test file; `others` are the rest. An area is the first part of an id. */
const AREAS = {
  access: [
    'session',
    'account',
    'users',
    'roles',
    'password',
    'email',
    'ownEmail',
    'preferences',
    'sessions',
    'privacyPolicies',
    'privacyAcceptances',
    'menus',
    'interfaces',
    'viewing',
  ],
  fleet: [
    'regions',
    'customers',
    'sites',
    'siteReceivers',
    'deviceMaintenances',
    'devices',
    'deviceImages',
    'deviceCertificates',
    'blacklistEntries',
    'itemGroups',
    'dataItems',
    'deviceModels',
    'deviceDescriptions',
    'modelAliases',
  ],
  attachments: ['attachments', 'attachmentFolders'],
  documents: ['documents', 'documentCategories'],
  shares: ['shares', 'share'],
  links: ['links', 'linkPolicies'],
  issues: ['issues', 'issueViews', 'report', 'reportLinks'],
} as const;

/** A part of the contract. Tests of every endpoint have one file for each part, so that they run in parallel. */
export type ContractPart = keyof typeof AREAS | 'others';

export function endpointsOf(part: ContractPart): Endpoint[] {
  const areas: readonly string[] = part === 'others' ? Object.values(AREAS).flat() : AREAS[part];
  return Object.values<Endpoint>(ENDPOINTS).filter(
    ({ id }) => areas.includes(id.split('.')[0]!) === (part !== 'others'),
  );
}
