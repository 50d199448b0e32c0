import { accessMatrix } from '../testing/access-matrix.ts';

accessMatrix('fleet');
