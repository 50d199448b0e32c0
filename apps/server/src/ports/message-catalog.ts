/** Where a payload does not fit its schema: JSON pointer, keyword of the schema, and its parameters. */
export interface PayloadFault {
  path: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** The messages that this system may send, by the WebSocket subprotocol of a device. */
export interface MessageCatalog {
  /** in the order of the alphabet; none for a protocol without such messages */
  actions(protocol: string | null): readonly string[];
  /** The official JSON schema of a message with the definitions that it uses; null for one that is not sent. */
  schema(protocol: string | null, action: string): object | null;
  /** Where a payload does not fit; at most 50 places. */
  faults(protocol: string | null, action: string, payload: unknown): PayloadFault[];
}

/** The catalog of an installation whose gateways have nothing to send. */
export const NO_MESSAGES: MessageCatalog = { actions: () => [], schema: () => null, faults: () => [] };
