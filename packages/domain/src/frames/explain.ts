/** A frame whose text is parsed. */
export interface ParsedFrame {
  /** a request, its result or error, or a message without a response */
  kind: 'call' | 'result' | 'error' | 'message';
  /** the action of the request, also for its result; the topic of an MQTT message */
  action: string | null;
  payload: unknown;
}

export interface ExplainedField {
  path: string;
  value: unknown;
  /** empty: not described */
  meaning: string;
  unit?: string;
}

/** The fields of a frame with their meanings. */
export function explainFrame(
  _protocol: string,
  _direction: 'receive' | 'send',
  frame: ParsedFrame,
  _locale: string,
): { fields: ExplainedField[] } {
  const fields: ExplainedField[] = [];
  const add = (path: string, value: unknown) => {
    if (value === null || typeof value !== 'object') fields.push({ path, value, meaning: '' });
    else
      for (const [name, inner] of Object.entries(value))
        add(Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name, inner);
  };
  if (frame.payload !== null && typeof frame.payload === 'object') add('', frame.payload);
  return { fields: fields.slice(0, 500) };
}

/** The message in the text of a frame: of OCPP-J, or any other JSON. Null for other text. */
export function parseFrame(body: string | null, action: string | null): ParsedFrame | null {
  if (body === null) return null;
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return null;
  }
  if (Array.isArray(message) && typeof message[1] === 'string') {
    if (message[0] === 2) return { kind: 'call', action: String(message[2]), payload: message[3] };
    if (message[0] === 3) return { kind: 'result', action, payload: message[2] };
    if (message[0] === 4) {
      const [, , errorCode, errorDescription, errorDetails] = message;
      return { kind: 'error', action, payload: { errorCode, errorDescription, errorDetails } };
    }
  }
  return { kind: 'message', action, payload: message };
}
