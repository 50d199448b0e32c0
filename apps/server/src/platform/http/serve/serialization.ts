import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

type SerializerCompiler = Parameters<FastifyInstance['setSerializerCompiler']>[0];
type Serialize = ReturnType<SerializerCompiler>;

/** Compiled serializers by schema. Schemas are constants of the contract, which all servers of a process share. */
const serializers = new WeakMap<object, Serialize>();

/**
 * Answers contain what their schema defines, and nothing else. A schema is compiled when the first answer needs it:
 * compiling all of them would be half of the start.
 */
export const serializerCompiler: SerializerCompiler = ({ schema }) => {
  const own = schema as Schema;
  return (data) => {
    let serialize = serializers.get(own);
    if (!serialize) {
      serialize = fastJsonStringify(own);
      serializers.set(own, serialize);
    }
    return serialize(data);
  };
};
