import * as published from 'typed-ocpp/dist/ocpp21/schemas.js';
import { type OcppSchemas, schemasByName, usable } from '../ocpp/schemas.ts';

/** A schema from the package `typed-ocpp`: each schema contains the definitions of all types. */
interface PublishedSchema {
  definitions?: Record<string, object>;
}

/** The only message of OCPP 2.1 that has no answer, and so no `Request` in its name. */
const SENDS = ['NotifyPeriodicEventStream'];

/** The official JSON schemas of OCPP 2.1. Their definitions are kept once, not once for each of the 181 schemas. */
export function ocpp21Schemas(): OcppSchemas {
  const shared = new Map<object, object>();
  const definitionsOf = (definitions: object) => {
    const known = shared.get(definitions) ?? usable(definitions);
    shared.set(definitions, known);
    return known;
  };
  const byName = new Map<string, object>();
  for (const [name, schema] of Object.entries(published as unknown as Record<string, PublishedSchema>)) {
    const { definitions, ...rest } = schema;
    const own = { ...usable(rest), ...(definitions ? { definitions: definitionsOf(definitions) } : {}) };
    byName.set(nameOf(name), own);
  }
  return schemasByName(byName, 'OCPP 2.1');
}

/** `AuthorizeRequest` is `Authorize.req`, `AuthorizeResponse` is `Authorize.conf`. */
function nameOf(published: string): string {
  if (SENDS.includes(published)) return `${published}.req`;
  return published.replace(/Request$/, '.req').replace(/Response$/, '.conf');
}
