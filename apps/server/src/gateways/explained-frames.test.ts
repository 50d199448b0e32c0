import { createRequire } from 'node:module';
import { explainFrame, OCPP_ACTIONS } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { ocppSchemas } from './ocpp/schemas.ts';
import { ocpp21Schemas } from './ocpp21/schemas.ts';

/** Values whose names say what they mean: units, algorithms, tunnels and messages. */
const CLEAR = /^([kM]?(Wh|varh|W|VA|var)|A|V|SHA\d+|IKEv2|IPSec|L2TP|PPTP|[A-Z][A-Za-z0-9]+Notification|.*Values)$/;
const MESSAGES = /^(Heartbeat|TransactionEvent|Sign\w+Certificate)$/;
/** Addresses and encodings of a network, and versions, are no enumerations for the explanation. */
const NAMES = /^(ocpp(Interface|Transport|Version)|apnAuthentication)$/;

const TEXT = 'x';

interface Schema {
  $ref?: string;
  definitions?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
}

/** Every value that a schema allows for each field, as one payload with a list of them. */
function payloadsOf(root: Schema, schema: Schema = root): unknown[] {
  const target = schema.$ref ? root.definitions![schema.$ref.split('/').at(-1)!]! : schema;
  if (target.enum) return target.enum;
  if (target.items) return payloadsOf(root, target.items).map((one) => [one]);
  if (!target.properties) return [TEXT];
  return Object.entries(target.properties).flatMap(([name, inner]) =>
    name === 'customData' ? [] : payloadsOf(root, inner).map((value) => ({ [name]: value })),
  );
}

test.each([
  ['ocpp1.6', 'ocpp1_6'],
  ['ocpp2.0.1', 'ocpp2_0_1'],
])('every field and enumeration of %s has a meaning in both languages', (protocol, file) => {
  const schemas = createRequire(import.meta.url)(`ocpp-rpc/lib/schemas/${file}.json`) as (Schema & { $id: string })[];
  const missing = new Set<string>();
  for (const schema of schemas) {
    const [, action = '', end] = /^urn:(\w+)\.(req|conf)$/.exec(schema.$id) ?? [];
    const kind = end === 'req' ? 'call' : 'result';
    for (const payload of payloadsOf(schema)) {
      const { fields } = explainFrame(protocol, 'receive', { kind, action, payload }, 'en-US');
      const chinese = explainFrame(protocol, 'receive', { kind, action, payload }, 'zh-CN').fields;
      for (const [index, { path, value, meaning }] of fields.entries()) {
        const name = path.split('.').at(-1)!.replaceAll('[0]', '');
        const needsNoWord = value === TEXT || NAMES.test(name) || CLEAR.test(`${value}`) || MESSAGES.test(`${value}`);
        const isDescribed = meaning !== '' && /[\u4e00-\u9fff]/.test(chinese[index]!.meaning);
        if (!isDescribed || !(needsNoWord || meaning.includes(': '))) missing.add(`${action} ${path} ${value}`);
      }
    }
  }
  expect(schemas.length).toBeGreaterThan(70);
  expect([...missing]).toEqual([]);
});

test('the actions that filters know are those of all versions', () => {
  const versions = [ocppSchemas('ocpp1_6', 'OCPP 1.6'), ocppSchemas('ocpp2_0_1', 'OCPP 2.0.1'), ocpp21Schemas()];
  const all = new Set(versions.flatMap(({ actions }) => actions));
  expect([...all].toSorted()).toEqual([...OCPP_ACTIONS].toSorted());
});
