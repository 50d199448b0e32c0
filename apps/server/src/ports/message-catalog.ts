/** A schema violation: JSON pointer, keyword of the schema, and its parameters. */
export interface PayloadFault {
  path: string;
  keyword: string;
  params: Record<string, unknown>;
}

/** The messages that this system may send, by the WebSocket subprotocol of a device. */
export interface MessageCatalog {
  /** in alphabetical order; none for a protocol without such messages */
  actions(protocol: string | null): readonly string[];
  /** The official JSON schema of a message with the definitions that it uses; null for one that cannot be sent. */
  schema(protocol: string | null, action: string): object | null;
  /** The schema violations of a payload, at most 50. */
  faults(protocol: string | null, action: string, payload: unknown): PayloadFault[];
}

/** The catalog of an installation whose gateways can send nothing. */
export const NO_MESSAGES: MessageCatalog = { actions: () => [], schema: () => null, faults: () => [] };
