import { join } from 'node:path';
import type pg from 'pg';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';

/**
 * The declared row type of each `sql<Row>` against the columns that PostgreSQL describes, without running the query.
 * Values become parameters, and fragments that can be found in the sources are put in. What is built in another way is
 * counted, not compared.
 */

const SOURCES = join(import.meta.dirname, '../../..');

/** Queries that are compared at least; those that the test cannot read are left out silently otherwise. */
const COMPARED_AT_LEAST = 100;

interface Query {
  place: string;
  text: string;
  /** the kinds of value that the row type has for each column */
  columns: Map<string, Column>;
}

interface Column {
  kinds: Set<Kind>;
  /** some queries with the row type leave it out */
  optional: boolean;
}

type Kind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object' | 'anything';

let database: TestDatabase;
let queries: Query[];
beforeAll(async () => {
  database = await createTestDatabase();
  queries = findQueries();
}, 240_000);
afterAll(() => database?.drop());

test('the row types of queries are what PostgreSQL describes', async () => {
  const client = await database.pool.connect();
  const wrong: string[] = [];
  let compared = 0;
  try {
    const kinds = await readKinds(client);
    for (const { place, text, columns } of queries) {
      const fields = await describe(client, text);
      if (fields === null) continue;
      compared += 1;
      const described = new Map(fields.map(({ name, dataTypeID }) => [name, kinds.get(dataTypeID) ?? 'string']));
      for (const [name, { kinds: declared, optional }] of columns) {
        const kind = described.get(name);
        if (kind === undefined) {
          if (!optional) wrong.push(`${place}: there is no column ${name}`);
        } else if (kind !== 'anything' && !declared.has('anything') && !declared.has(kind) && declared.size > 0) {
          wrong.push(`${place}: ${name} is ${kind}, declared as ${[...declared].join(' | ')}`);
        }
      }
    }
  } finally {
    client.release();
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(COMPARED_AT_LEAST);
}, 120_000);

/** The columns of a statement, or null when PostgreSQL cannot prepare it alone. Nothing is executed. */
function describe(client: pg.PoolClient, text: string): Promise<readonly pg.FieldDef[] | null> {
  return new Promise((resolve) => {
    let fields: readonly pg.FieldDef[] = [];
    const statement = {
      submit(connection: { parse(of: object): void; describe(of: object): void; sync(): void }) {
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription(message: { fields: readonly pg.FieldDef[] }) {
        fields = message.fields;
      },
      // The client calls nothing else after an error.
      handleError: () => resolve(null),
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(statement as never);
  });
}

/** How the driver returns each type of PostgreSQL. */
async function readKinds(client: pg.PoolClient): Promise<Map<number, Kind>> {
  const { rows } = await client.query<{ oid: number; name: string; category: string }>(
    `select oid::int, typname as name, typcategory as category from pg_type`,
  );
  const byName: Record<string, Kind> = {
    ...{ bool: 'boolean', int2: 'number', int4: 'number', int8: 'number', float4: 'number', float8: 'number' },
    ...{ timestamp: 'date', timestamptz: 'date', json: 'anything', jsonb: 'anything', bytea: 'bytes' },
    ...{ void: 'anything', interval: 'object', point: 'object' },
  };
  return new Map(rows.map(({ oid, name, category }) => [oid, category === 'A' ? 'array' : (byName[name] ?? 'string')]));
}

function findQueries(): Query[] {
  const names = ts.sys.readDirectory(SOURCES, ['.ts'], ['**/*.test.ts', '**/*.full.ts', '**/testing/**']);
  const { config } = ts.readConfigFile(join(SOURCES, '../../../tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(SOURCES, '../../..'));
  const program = ts.createProgram(names, options);
  const checker = program.getTypeChecker();
  const found: Query[] = [];
  for (const name of names) {
    const source = program.getSourceFile(name);
    if (!source) continue;
    const visit = (node: ts.Node) => {
      if (isSql(node) && node.typeArguments?.[0]) {
        const columns = columnsOf(checker, node.typeArguments[0]);
        const text = columns && textOf(checker, node);
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        if (text) found.push({ place: `${name.slice(SOURCES.length + 1)}:${line}`, text, columns });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isSql(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';
}

/** The columns of a row type; null for fragments, whose type is that of one value. */
function columnsOf(checker: ts.TypeChecker, node: ts.TypeNode): Map<string, Column> | null {
  const type = checker.getTypeFromTypeNode(node);
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return null;
  if (kindOf(checker, type) !== 'object') return null;
  return new Map(
    type.getProperties().map((property) => {
      const value = checker.getTypeOfSymbol(property);
      const parts = value.isUnion() ? value.types : [value];
      const empty = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
      const kinds = new Set(parts.filter(({ flags }) => !(flags & empty)).map((part) => kindOf(checker, part)));
      return [property.name, { kinds, optional: (property.flags & ts.SymbolFlags.Optional) !== 0 }];
    }),
  );
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): Kind {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter | ts.TypeFlags.Never))
    return 'anything';
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array';
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'date';
  if (name === 'Buffer' || name === 'Uint8Array') return 'bytes';
  if (type.isIntersection()) {
    const [primitive] = type.types.map((part) => kindOf(checker, part)).filter((kind) => kind !== 'object');
    return primitive ?? 'object';
  }
  return 'object';
}

/** The text of a query with numbered parameters; null when a fragment cannot be found in the sources. */
function textOf(checker: ts.TypeChecker, query: ts.TaggedTemplateExpression): string | null {
  let parameters = 0;
  const parameter = () => {
    parameters += 1;
    return `$${parameters}`;
  };
  type Given = ReadonlyMap<ts.Symbol, { node: ts.Expression; given: Given }>;

  const inline = (node: ts.TaggedTemplateExpression, given: Given, depth: number): string | null => {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    let text = template.head.text;
    for (const { expression, literal } of template.templateSpans) {
      const part = resolve(expression, given, depth);
      if (part === null) return null;
      text += part + literal.text;
    }
    return text;
  };

  const resolve = (node: ts.Expression, given: Given, depth: number): string | null => {
    if (depth > 12) return null;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
      return resolve(node.expression, given, depth);
    if (isSql(node)) return inline(node, given, depth + 1);
    if (ts.isConditionalExpression(node) && isFragment(node))
      return resolve(node.whenTrue, given, depth + 1) ?? resolve(node.whenFalse, given, depth + 1);
    if (ts.isIdentifier(node)) {
      const symbol = symbolOf(node);
      const passed = symbol && given.get(symbol);
      if (passed) return resolve(passed.node, passed.given, depth + 1);
      if (!isFragment(node)) return parameter();
      const declared = symbol?.valueDeclaration;
      return declared && ts.isVariableDeclaration(declared) && declared.initializer
        ? resolve(declared.initializer, given, depth + 1)
        : null;
    }
    if (!isFragment(node)) return parameter();
    return ts.isCallExpression(node) ? called(node, given, depth) : null;
  };

  const called = (node: ts.CallExpression, given: Given, depth: number): string | null => {
    const { expression, arguments: args } = node;
    if (ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'sql') {
      const [first] = args;
      const { text: name } = expression.name;
      if (name === 'join') return parameter();
      const literal = first && literalOf(first, given);
      if (literal === null || literal === undefined) return null;
      return name === 'lit' ? `'${literal}'` : literal;
    }
    if (!ts.isIdentifier(expression)) return null;
    const declared = symbolOf(expression)?.valueDeclaration;
    const fn = declared && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
    if (!fn || !(ts.isArrowFunction(fn) || ts.isFunctionDeclaration(fn)) || !fn.body) return null;
    const inner = new Map(given);
    fn.parameters.forEach(({ name, initializer }, at) => {
      const symbol = ts.isIdentifier(name) && checker.getSymbolAtLocation(name);
      const passed = args[at] ?? initializer;
      if (symbol && passed) inner.set(symbol, { node: passed, given });
    });
    if (!ts.isBlock(fn.body)) return resolve(fn.body, inner, depth + 1);
    const returned = fn.body.statements.findLast(ts.isReturnStatement)?.expression;
    return returned ? resolve(returned, inner, depth + 1) : null;
  };

  const literalOf = (node: ts.Expression, given: Given): string | null => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (!ts.isIdentifier(node)) return null;
    const passed = given.get(symbolOf(node) as ts.Symbol);
    if (passed) return literalOf(passed.node, passed.given);
    const type = checker.getTypeAtLocation(node);
    return type.isStringLiteral() ? type.value : null;
  };

  const symbolOf = (node: ts.Identifier) => {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  };

  const isFragment = (node: ts.Node) => {
    const type = checker.getTypeAtLocation(node);
    return (type.isUnion() ? type.types : [type]).some((part) => part.getProperty('toOperationNode') !== undefined);
  };

  return inline(query, new Map(), 0);
}
