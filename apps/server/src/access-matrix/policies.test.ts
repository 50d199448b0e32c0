import { accessMatrix } from '../testing/contract/access-matrix.ts';
import { distinctPolicies } from '../testing/contract/distinct-policies.ts';

accessMatrix(distinctPolicies(), { everyCaller: false });
