import { sheetOf } from '../../files/xlsx.ts';
import type { SiteName } from '../../world.ts';
import {
  CUSTOMER_OF,
  customerOf,
  type EndpointCase,
  fresh,
  type Ground,
  onDevice,
  onSite,
  ownerOf,
} from '../ground.ts';

const FIELDS = {
  ...{ tokenType: 'ISO14443', tokenGroup: null, holder: '', tokenNote: '', validFrom: null, validUntil: null },
  ...{ blocked: false, concurrent: false, siteIds: [] },
};
const newValue = () => fresh('TOKEN').replaceAll(/[^\w-]/g, '');

/** A token of the site's customer, valid at all sites. */
const onToken = async ({ world, db }: Ground, site: SiteName) => {
  const { id } = await db
    .insertInto('tokens')
    .values({
      ...{ customer_id: world.customers[CUSTOMER_OF[site]], value: newValue(), type: 'ISO14443', revision: 1 },
      ...{ created_by_name: 'case' },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};

const onUnknown = async ({ world, db }: Ground, site: SiteName) => {
  const at = new Date();
  const { id } = await db
    .insertInto('unknown_tokens')
    .values({
      ...{ site_id: world.sites[site], value: newValue(), type: null, device_id: null, count: 1 },
      ...{ first_at: at, last_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};

const onImport = async ({ world, db }: Ground, site: SiteName) => {
  const { id } = await db
    .insertInto('token_imports')
    .values({
      ...{
        customer_id: world.customers[CUSTOMER_OF[site]],
        user_id: null,
        user_name: 'case',
        node: 'main',
        file_name: 'a.xlsx',
      },
      ...{ state: 'done', ended_at: new Date() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { params: { id } };
};

const onList = async (ground: Ground, site: SiteName) => {
  const { params } = onDevice(ground, site);
  await ground.db
    .insertInto('device_token_lists')
    .values({ device_id: params.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { params, body: {} };
};

/** A change to the policy that is set already. */
const policy = { body: { tokenPolicy: 'everyone' } };

export const TOKEN_CASES: Record<string, EndpointCase> = {
  'tokens.list': { call: () => ({ body: {} }) },
  'tokens.read': { call: onToken },
  'tokens.create': {
    call: async (ground, site) => ({
      body: { customerId: await customerOf(ground, site), tokenValue: newValue(), ...FIELDS },
    }),
  },
  'tokens.update': {
    call: async (ground, site) => ({ ...(await onToken(ground, site)), body: { ...FIELDS, holder: fresh('holder') } }),
  },
  'tokens.changeMany': {
    call: async (ground, site) => {
      const { params } = await onToken(ground, site);
      return { body: { ids: [params.id], tokenChange: 'block' } };
    },
  },
  'tokens.delete': { call: onToken },
  'tokens.export': {},
  'tokens.import': {
    call: async (ground, site) => {
      const customerId = await customerOf(ground, site);
      // One import of a customer at a time.
      await ground.db.deleteFrom('token_imports').where('customer_id', '=', customerId).execute();
      const content = (await sheetOf(['value'], [[newValue()]])).toString('base64');
      return { body: { customerId, fileName: 'tokens.xlsx', content } };
    },
  },
  'tokenImports.list': {},
  'tokenImports.export': { call: onImport },
  'tokenPolicies.readCustomer': { call: ownerOf },
  'tokenPolicies.setCustomer': { call: async (ground, site) => ({ ...(await ownerOf(ground, site)), ...policy }) },
  'tokenPolicies.readSite': { call: onSite },
  'tokenPolicies.setSite': { call: (ground, site) => ({ ...onSite(ground, site), ...policy }) },
  'tokenPolicies.readDevice': { call: onDevice },
  'tokenPolicies.setDevice': { call: (ground, site) => ({ ...onDevice(ground, site), ...policy }) },
  'tokenLists.list': {},
  'tokenLists.resend': { call: onList },
  'unknownTokens.list': {},
  'unknownTokens.add': { call: async (ground, site) => ({ ...(await onUnknown(ground, site)), body: {} }) },
};
