import { customerRights, type Levels, siteRights } from '@chargehand/domain';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';

/** What the user may do with customers and sites in a list. For a single one, the server returns it in `may`. */
export function usePlaceRights() {
  const { user, info } = useUser();
  const levels = info.role.levels as Levels;
  const addsSites = usePermitted(['auth_site_add']);
  const editsSites = usePermitted(['auth_site_edit']);
  const managesCustomers = usePermitted(['auth_customer_detail']);
  const addsCustomers = usePermitted(['auth_customer_list']);
  const writes = user.root || !user.readOnly;
  const runsCustomers = writes && (user.root || user.platformVendor) && customerRights(levels).edit;
  return {
    addCustomer: runsCustomers && addsCustomers,
    manageCustomer: runsCustomers && managesCustomers,
    exportCustomers: customerRights(levels).download,
    addSite: writes && addsSites && siteRights(levels).edit,
    editSite: writes && editsSites && siteRights(levels).edit,
    exportSites: siteRights(levels).download,
  };
}
