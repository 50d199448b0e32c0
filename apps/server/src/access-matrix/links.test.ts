import { accessMatrix } from '../testing/contract/access-matrix.ts';

accessMatrix('links');
