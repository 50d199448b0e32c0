/** The subset of JSON Schema that the schemas of OCPP use. */
interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  definitions?: Record<string, Schema>;
  format?: string;
  minimum?: number;
  minLength?: number;
}

/** The smallest payload that conforms to a schema: only required fields. */
export function minimalPayload(schema: object): Record<string, unknown> {
  const { definitions = {} } = schema as Schema;
  const build = (part: Schema): unknown => {
    if (part.$ref) return build(definitions[part.$ref.replace('#/definitions/', '')]!);
    if (part.enum) return part.enum[0];
    switch (part.type) {
      case 'string':
        if (part.format === 'date-time') return '2026-01-01T00:00:00Z';
        return part.format === 'uri' ? 'http://files.example/a' : 'x'.repeat(Math.max(1, part.minLength ?? 1));
      case 'integer':
      case 'number':
        return Math.max(1, part.minimum ?? 1);
      case 'boolean':
        return true;
      case 'array':
        return [build(part.items ?? {})];
      default:
        return Object.fromEntries((part.required ?? []).map((name) => [name, build(part.properties?.[name] ?? {})]));
    }
  };
  return build(schema as Schema) as Record<string, unknown>;
}
