import { badInput } from '../testing/bad-input.ts';

badInput('access');
