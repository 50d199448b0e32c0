import { LOCALES, type Locale } from '@chargehand/contract';

/**
 * The languages of a test that is about neither texts nor layout: English in `npm test`, all of them in
 * `npm run test:full`.
 */
export const LANGUAGES: readonly Locale[] = import.meta.env.TEST_PART === 'full' ? LOCALES : ['en-US'];
