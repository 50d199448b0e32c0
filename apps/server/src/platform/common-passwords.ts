import { dictionary } from '@zxcvbn-ts/language-common';

/** The most common passwords, in lower case, as the maintainers of zxcvbn-ts collect them. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common']);
