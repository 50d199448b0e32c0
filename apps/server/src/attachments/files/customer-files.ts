import { sql } from 'kysely';
import type { CustomerFiles, FindCustomerFiles } from '../../ports/customer-files.ts';

/** The number of names in a log entry: a customer can have thousands of files. */
const MOST_NAMES = 100;

/** The files and folders of a customer, whose row the caller has locked, so that none is added. */
export const filesOfCustomer: FindCustomerFiles = async (trx, customerId) => {
  const { rows } = await sql<CustomerFiles>`
    select count(*) as files, coalesce(sum(size), 0)::bigint as size,
           (select count(*) from folders where customer_id = ${customerId}) as folders,
           array(select name from attachments where customer_id = ${customerId}
                  order by size desc, added limit ${MOST_NAMES}) as "fileNames"
      from attachments where customer_id = ${customerId}`.execute(trx);
  return rows[0]!;
};
