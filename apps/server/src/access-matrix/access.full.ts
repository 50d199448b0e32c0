import { ENDPOINTS } from '@chargehand/contract';
import { accessMatrix } from '../testing/contract/access-matrix.ts';

accessMatrix(Object.values(ENDPOINTS));
