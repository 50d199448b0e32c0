import { modelNames } from '@chargehand/domain';
import { APPLICATION_CODES } from './applications/application-codes.ts';
import { ACCESS_CODES } from './codes/access.ts';
import { ATTACHMENT_CODES } from './codes/attachments.ts';
import { DEVICE_IMPORT_CODES } from './codes/device-import.ts';
import { DEVICE_MODEL_CODES } from './codes/device-models.ts';
import { DOCUMENT_CODES } from './codes/documents.ts';
import { FILE_CODES, SHARE_CODES } from './codes/files.ts';
import { FLEET_CODES } from './codes/fleet.ts';
import { IMPERSONATION_CODES } from './codes/impersonation.ts';
import { MENU_CODES } from './codes/menus.ts';
import { OPERATION_CODES } from './codes/operations.ts';
import { PEOPLE_CODES } from './codes/people.ts';
import { TELEMETRY_CODES } from './codes/telemetry.ts';
import { TRANSFER_CODES } from './codes/transfers.ts';
import { WIRE_CODES } from './codes/wire.ts';
import type { Locale } from './constants.ts';
import { ERROR_LOG_CODES } from './errors/codes.ts';
import { ISSUE_CODES } from './issues/codes.ts';
import { LINK_CODES } from './links/codes.ts';
import { MESSAGE_CODES } from './messages/message-codes.ts';
import { RANGE_FAULTS } from './models/range-faults.ts';
import { textOf } from './operations/message.ts';
import { BRANDING_CODES, SYSTEM_CODES, SYSTEM_PARAMETER_CODES } from './system/codes.ts';
import { DICTIONARY_CODES } from './system/dictionary-codes.ts';
import { TOKEN_CODES } from './tokens/token-codes.ts';

/**
 * Every code of the response envelope except 0. `{name}` is replaced with the given value, `{field}` with the label of
 * the invalid field. 20001-20004 and 20013 are defined by the spec (§4, §6). 1xxxx are codes of this product, in blocks
 * of one hundred per area.
 */
export const CODES = {
  ...WIRE_CODES,
  ...ACCESS_CODES,
  ...PEOPLE_CODES,
  ...MENU_CODES,
  ...IMPERSONATION_CODES,
  ...FILE_CODES,
  ...FLEET_CODES,
  ...DEVICE_IMPORT_CODES,
  ...DEVICE_MODEL_CODES,
  ...RANGE_FAULTS,
  ...TELEMETRY_CODES,
  ...OPERATION_CODES,
  ...TRANSFER_CODES,
  ...DOCUMENT_CODES,
  ...ATTACHMENT_CODES,
  ...SHARE_CODES,
  ...ISSUE_CODES,
  ...MESSAGE_CODES,
  ...LINK_CODES,
  ...ERROR_LOG_CODES,
  ...APPLICATION_CODES,
  ...SYSTEM_CODES,
  ...SYSTEM_PARAMETER_CODES,
  ...BRANDING_CODES,
  ...DICTIONARY_CODES,
  ...TOKEN_CODES,
};

export type CodeName = keyof typeof CODES;

/** Placeholders whose values are stored names of device models. */
const MODEL_VALUES: ReadonlySet<string> = new Set(['model', 'near']);

/** The message of a code in a language, with its `{name}` placeholders replaced. */
export function messageOf(name: CodeName, locale: Locale, values: Record<string, string | number> = {}): string {
  const named = Object.entries(values).map(([key, value]) => [
    key,
    MODEL_VALUES.has(key) ? modelNames(String(value))[locale === 'zh-CN' ? 'zh' : 'en'] : value,
  ]);
  return textOf(CODES[name], locale, Object.fromEntries(named));
}
