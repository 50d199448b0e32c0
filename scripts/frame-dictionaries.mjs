// The dictionaries of the protocol log (docs/protocol-log.md). A released dictionary never changes: batches need it.
// node scripts/frame-dictionaries.mjs            checks that the stored ones are those of the schemas
// node scripts/frame-dictionaries.mjs ocpp1.6    prints the dictionary with the schemas of the installed package
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const server = join(import.meta.dirname, '../apps/server');
const require = createRequire(join(server, 'package.json'));

/** `last`: the messages that are sent most, at the end, because near matches cost less. */
const DICTIONARIES = {
  'ocpp1.6': {
    schemas: 'ocpp1_6',
    last: 'BootNotification Authorize StartTransaction StopTransaction StatusNotification MeterValues Heartbeat',
  },
  ocpp2: {
    schemas: 'ocpp2_0_1',
    last: 'BootNotification Authorize NotifyEvent StatusNotification MeterValues TransactionEvent Heartbeat',
  },
};

/** Places of values, as in `packing/templates.ts` and `packing/columns.ts`. */
const [NUMBER, TIME, ID, ACTION] = ['\u0001n', '\u0001t', '\u0002m', '\u0002a'];

const [wanted] = process.argv.slice(2);
if (wanted !== undefined && !Object.hasOwn(DICTIONARIES, wanted)) {
  console.error(`${wanted} is not one of ${Object.keys(DICTIONARIES).join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of wanted === undefined ? Object.keys(DICTIONARIES) : [wanted]) {
    const stored = readFileSync(join(server, `src/audit/frames/packing/dictionaries/${name}.txt`), 'utf8');
    const messages = messagesOf(DICTIONARIES[name]);
    // What follows the schemas are typical messages, chosen by hand.
    if (wanted !== undefined) process.stdout.write(messages + typical(stored));
    else if (!stored.startsWith(messages)) {
      const at = [...messages].findIndex((character, index) => stored[index] !== character);
      console.error(
        `${name}: differs from the schemas at "${messages.slice(at - 40, at + 40)}"; a change needs a new number`,
      );
      process.exitCode = 1;
    }
  }
}

/** All messages of a version as templates, a request and its response on two lines. */
function messagesOf({ schemas, last }) {
  const byName = new Map(
    require(`ocpp-rpc/lib/schemas/${schemas}.json`).map((schema) => [schema.$id.slice(4), schema]),
  );
  const frequent = last.split(' ');
  const actions = [...byName.keys()].filter((name) => name.endsWith('.req')).map((name) => name.slice(0, -4));
  const others = actions
    .filter((action) => !frequent.includes(action))
    .sort((one, other) => one.localeCompare(other, 'en'));
  return [...others, ...frequent]
    .map((action) => {
      const [request, response] = ['req', 'conf'].map((kind) => template(byName.get(`${action}.${kind}`)));
      return `[2,${ID},${ACTION},${request}]${action}\n[3,${ID},${response}]\n`;
    })
    .join('');
}

function typical(stored) {
  return stored.slice(stored.indexOf('connected ocpp'));
}

/** A schema as a template: all its fields, and all values of an enumeration one after the other. */
function template(schema, root = schema) {
  if (schema.$ref) return template(root.definitions[schema.$ref.split('/').at(-1)], root);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(',');
  const { type, properties = {}, items, format } = schema;
  if (type === 'array') return `[${template(items, root)}]`;
  if (type === 'integer' || type === 'number') return NUMBER;
  if (type === 'boolean') return 'true';
  // `data` of a vendor has no type; most send a text.
  if (type !== 'object') return format === 'date-time' ? `"${TIME}"` : '""';
  const fields = Object.entries(properties).filter(([name]) => name !== 'customData');
  return `{${fields.map(([name, field]) => `"${name}":${template(field, root)}`).join(',')}}`;
}
