import {
  CODES,
  type CodeName,
  type EndCause,
  fieldLabel,
  type Locale,
  messageOf,
  type ObjectName,
  objectLabel,
  sessionEndText,
} from '@chargehand/contract';

/** The cause of an error, as a sentence within another one. */
export interface Reason {
  code: CodeName;
  values: Record<string, string | number>;
}

/** A business error: what the caller cannot do, and why. It becomes an envelope in the caller's language. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: CodeName;
  readonly values: Record<string, string | number>;
  readonly field: string | undefined;
  readonly status: number;
  /** the value for `{reason}`, itself a message of the registry */
  readonly reason: Reason | undefined;

  /** `field` names the invalid input. `status` is 200 unless the API contract requires another (404, 413, 429, 500). */
  constructor(
    code: CodeName,
    details: { values?: Record<string, string | number>; field?: string; status?: number; reason?: Reason } = {},
  ) {
    // An answer, not a bug: its stack is never read, and a file with many rows has tens of thousands of them.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(messageOf(code, 'en-US', details.values));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.values = details.values ?? {};
    this.field = details.field;
    this.status = details.status ?? 200;
    this.reason = details.reason;
  }

  /** The data that creates the same problem in another thread. */
  get parts(): ConstructorParameters<typeof Problem> {
    const { code, values, field, status, reason } = this;
    return [code, { values, status, ...(field === undefined ? {} : { field }), ...(reason ? { reason } : {}) }];
  }

  /** The envelope of this problem in a language. */
  envelope(locale: Locale): { code: number; message: string; data: null; field?: string } {
    const label = this.field === undefined ? undefined : fieldLabel(this.field, locale);
    const object = objectLabel(String(this.values.object), locale);
    const values = {
      ...this.values,
      ...(label === undefined ? {} : { field: label }),
      ...(this.code === 'sessionEndedFor'
        ? { why: sessionEndText(this.values.cause as EndCause, String(this.values.note), locale) }
        : {}),
      ...(this.reason ? { reason: messageOf(this.reason.code, locale, this.reason.values) } : {}),
      ...(object === undefined ? {} : { object }),
    };
    return {
      code: CODES[this.code].code,
      message: messageOf(this.code, locale, values),
      data: null,
      ...(this.field === undefined ? {} : { field: this.field }),
    };
  }
}

/** A row that does not exist or is outside the caller's scope: the two give the same answer (design §5). */
export function notFound(object: ObjectName): Problem {
  return new Problem('notFound', { values: { object } });
}
