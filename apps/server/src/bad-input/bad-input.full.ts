import { badInput } from '../testing/contract/bad-input.ts';

badInput();
