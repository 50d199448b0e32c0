import { policyMatrix } from '../testing/contract/access-matrix.ts';

policyMatrix();
