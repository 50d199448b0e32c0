import type { Generated, GeneratedAlways } from 'kysely';
import type { Json } from '../platform/database/json.ts';
import type { Explanations } from '../platform/database/violations.ts';

declare module '../platform/database/schema.ts' {
  interface Database {
    users: UsersTable;
    user_customers: UserCustomersTable;
    user_sites: UserSitesTable;
    user_preferences: UserPreferencesTable;
    roles: RolesTable;
    role_menus: RoleMenusTable;
    menus: MenusTable;
    menu_interfaces: MenuInterfacesTable;
    interfaces: InterfacesTable;
    sessions: SessionsTable;
    viewings: ImpersonationsTable;
    account_links: AccountLinksTable;
    spent_tokens: SpentTokensTable;
    second_factors: SecondFactorsTable;
    recovery_codes: RecoveryCodesTable;
    sign_in_failures: SignInFailuresTable;
    privacy_policies: PrivacyPoliciesTable;
    privacy_drafts: PrivacyDraftsTable;
    privacy_acceptances: PrivacyAcceptancesTable;
    server_secrets: ServerSecretsTable;
  }
}

interface UsersTable {
  id: GeneratedAlways<number>;
  user_name: string;
  nick_name: Generated<string>;
  email: string | null;
  password_hash: string;
  customer_id: number;
  role_id: number | null;
  root: Generated<boolean>;
  enabled: Generated<boolean>;
  locale: Generated<'en-US' | 'zh-CN'>;
  locale_chosen: Generated<boolean>;
  theme: string | null;
  contact: Generated<string>;
  max_sites: number | null;
  password_state: Generated<'own' | 'given' | 'invited'>;
  created_at: Generated<Date>;
  avatar: Generated<string | null>;
  /** null until the job writes them; see platform/search */
  search_words: Generated<string | null>;
}

interface UserCustomersTable {
  user_id: number;
  customer_id: number;
}

interface UserSitesTable {
  user_id: number;
  site_id: number;
}

interface UserPreferencesTable {
  user_id: number;
  key: string;
  value: Json;
  updated_at: Generated<Date>;
}

interface RolesTable {
  id: GeneratedAlways<number>;
  name: string;
  customer_access: number;
  site_access: number;
  remote_access: Generated<number>;
  levels: Json;
  email_alarm: Generated<boolean>;
  second_factor: Generated<boolean>;
  created_at: Generated<Date>;
}

interface SecondFactorsTable {
  user_id: number;
  secret: string;
  created_at: Generated<Date>;
  confirmed_at: Date | null;
  last_step: Generated<number>;
}

interface RecoveryCodesTable {
  user_id: number;
  code_hash: Buffer;
}

interface RoleMenusTable {
  role_id: number;
  menu_key: string;
}

interface MenusTable {
  key: string;
  parent_key: string | null;
  name_en: string;
  name_zh: Generated<string>;
  url: Generated<string>;
  sort: Generated<number>;
  common: Generated<boolean>;
  built_in: Generated<boolean>;
}

interface MenuInterfacesTable {
  menu_key: string;
  interface_id: string;
}

interface InterfacesTable {
  id: string;
  name_en: string;
  name_zh: Generated<string>;
  method: string;
  url: string;
  common: Generated<boolean>;
  declared_access: string;
}

interface SessionsTable {
  id: string;
  token_hash: Buffer;
  csrf: string;
  /** null after the account was removed */
  user_id: number | null;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  ended_at: Date | null;
  end_reason: string | null;
  address: string;
  user_agent: string;
  number: GeneratedAlways<number>;
  page: string | null;
  end_cause: string | null;
  end_note: string | null;
}

interface ImpersonationsTable {
  session_id: string;
  viewed_id: number | null;
  viewed_name: string;
  viewed_customer_id: number | null;
  since: Generated<Date>;
  until: Date;
  ended_at: Date | null;
}

interface AccountLinksTable {
  user_id: number;
  purpose: 'resetPassword' | 'invitation' | 'changeEmail';
  token_hash: Buffer;
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

interface SpentTokensTable {
  token: string;
  expires_at: Date;
}

interface SignInFailuresTable {
  key: string;
  points: Generated<number>;
  expire: number | null;
}

interface PrivacyPoliciesTable {
  version: Generated<number>;
  content_en: string;
  content_zh: string;
  published_at: Generated<Date>;
  published_by: Generated<string>;
}

interface PrivacyDraftsTable {
  id: Generated<number>;
  content_en: string;
  content_zh: string;
  updated_at: Generated<Date>;
  updated_by: string;
}

interface PrivacyAcceptancesTable {
  user_id: number;
  version: number;
  accepted_at: Generated<Date>;
}

interface ServerSecretsTable {
  name: string;
  value: string;
  created_at: Generated<Date>;
}

/** The problem of each violated constraint. */
export const EXPLANATIONS = {
  users_user_name: ['userNameExists', 'userName'],
  users_email: ['userEmailExists', 'email'],
  user_sites_max: ['maxSitesExceeded', 'maxSites'],
  users_last_root: ['lastRoot', 'id'],
  // A role may be given to a user after its users were counted.
  users_role_id_fkey: {
    unknown: ['roleUnknown', 'roleId'],
    inUse: ['roleInUse', undefined, { count: 1 }],
  },
  users_customer_id_fkey: ['userCustomerUnknown', 'customerId'],
  user_customers_customer_id_fkey: ['userCustomerUnknown', 'customerIds'],
  user_sites_site_id_fkey: ['siteUnknown', 'siteIds'],
  roles_name: ['roleNameExists', 'name'],
  menus_built_in_kept: ['menuBuiltIn'],
  menus_own_ancestor: ['menuOwnAncestor', 'parentKey'],
  menu_interfaces_menu_key_fkey: ['menuHasInterfaces'],
  menus_parent_key_fkey: ['menuHasChildren'],
  role_menus_menu_key_fkey: ['menuInUse'],
  // Another tab of the same session started one at the same time.
  viewings_pkey: ['impersonationOver'],
} satisfies Explanations;
