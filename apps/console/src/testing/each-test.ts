import { afterEach } from 'vitest';
import { leave } from './show.tsx';

// In a setup file, because hooks apply to one test file, and the modules that test files import are loaded only once.
afterEach(leave);
