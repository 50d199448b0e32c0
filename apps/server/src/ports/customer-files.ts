import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** The files and folders of a customer, for the log entry of its deletion. */
export interface CustomerFiles {
  files: number;
  folders: number;
  /** bytes */
  size: number;
  /** of the largest files */
  fileNames: string[];
}

/** Reads the files and folders that are deleted together with a customer. */
export type FindCustomerFiles = (trx: Kysely<Database>, customerId: number) => Promise<CustomerFiles>;
