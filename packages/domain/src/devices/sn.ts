/** The maximum length of an SN: OCPP-J gives the identity of a charging station 48 characters. */
export const SN_LENGTH = 48;

/**
 * The SN of a device: 1 to 48 characters of OCPP's identifierString (letters, digits and `* - _ = : + | @ .`), or spaces
 * between them, as in `RDAM 123`, the example of OCPP-J 1.6 §3.1. At least one character is a letter or digit, so that no
 * SN is a path such as `..`.
 */
const SN = /^[\w*=:+|@.-](?:[\w*=:+|@. -]{0,46}[\w*=:+|@.-])?$/;

/** True if a text is a valid SN. SNs that differ only in case are the same. */
export function isSn(text: string): boolean {
  return SN.test(text) && /[A-Za-z0-9]/.test(text);
}

/** True if an SN can be a level of an MQTT topic: `+` is a wildcard there (MQTT 3.1.1 §4.7.1). */
export function fitsMqttTopic(sn: string): boolean {
  return !/[+#/]/.test(sn);
}
