import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    applications: ApplicationsTable;
    application_secrets: ApplicationSecretsTable;
    application_nonces: ApplicationNoncesTable;
    application_tokens: ApplicationTokensTable;
    application_days: ApplicationDaysTable;
    application_webhooks: ApplicationWebhooksTable;
  }
}

interface ApplicationsTable {
  id: GeneratedAlways<number>;
  name: string;
  name_key: string;
  description: string;
  icon: string | null;
  app_id: string;
  user_id: number | null;
  enabled: Generated<boolean>;
  allowed_addresses: string[];
  allowed_operations: string[];
  rate_limit: number;
  expires_at: Date | null;
  installed_at: Generated<Date>;
  last_used_at: Generated<Date | null>;
  minute: Generated<Date>;
  minute_calls: Generated<number>;
}

interface ApplicationSecretsTable {
  id: GeneratedAlways<number>;
  application_id: number;
  secret: string;
  ending: string;
  created_at: Generated<Date>;
  last_used_at: Generated<Date | null>;
  valid_until: Generated<Date | null>;
}

interface ApplicationNoncesTable {
  application_id: number;
  nonce: string;
  until: Date;
}

interface ApplicationTokensTable {
  token_hash: Buffer;
  application_id: number;
  until: Date;
}

interface ApplicationDaysTable {
  application_id: number;
  day: Date;
  calls: number;
  errors: number;
  refused: Generated<number>;
}

interface ApplicationWebhooksTable {
  id: GeneratedAlways<number>;
  application_id: number;
  url: string;
  description: string;
  events: string[];
  enabled: boolean;
  failing_since: Generated<Date | null>;
  resting_until: Generated<Date | null>;
  given_up_at: Generated<Date | null>;
  secret: string;
  previous_secret: Generated<string | null>;
  previous_secret_until: Generated<Date | null>;
  created_at: Generated<Date>;
}
