// Refuses regular expressions that can take more than linear time: any text from outside may reach them. Patterns that
// the checker cannot judge are listed in pattern-exceptions.json with their limit. The patterns in safe-patterns.json have
// been checked, so that only new ones cost time; `--update` adds these.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import ts from 'typescript';

// The backend of the package that needs no other program.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const PROJECT = join(import.meta.dirname, '..', '..');
const CHECKED = join(import.meta.dirname, 'safe-patterns.json');
/** The longest time for one pattern. What takes longer is refused, like a pattern that is too slow. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** Patterns as texts: in schemas of the contract, and constants that both use. */
const TEXT_NAMES = /^pattern$|_PATTERN$/;

const began = performance.now();
/** @type {Map<string, string[]>} patterns as literals, with the places where they are */
const found = new Map();
const files = globSync(['apps/{server,console}/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd: PROJECT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|full|s3|mqtt|clients|deploy|cluster)\.tsx?$|\/testing\//.test(file));
for (const file of files.sort()) read(file);

/** @type {Record<string, string>} patterns with the reason why they are linear, or the limit of their texts */
const EXCEPTIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'pattern-exceptions.json'), 'utf8'));
/** @type {Set<string>} */
const checked = new Set(JSON.parse(readFileSync(CHECKED, 'utf8')));
const safe = [];
const problems = [];
for (const [pattern, places] of found) {
  if (Object.hasOwn(EXCEPTIONS, pattern)) continue;
  const verdict = checked.has(pattern) ? 'safe' : verdictOf(pattern);
  if (verdict === 'safe') safe.push(pattern);
  else problems.push(`${places.join(', ')}: ${pattern}\n    ${verdict}`);
}
for (const pattern of Object.keys(EXCEPTIONS)) {
  if (!found.has(pattern)) problems.push(`pattern-exceptions.json: ${pattern} is not used any more`);
}
if (process.argv.includes('--update')) writeFileSync(CHECKED, `${JSON.stringify(safe.sort(), null, 2)}\n`);
if (problems.length > 0) {
  process.stderr.write(
    `scripts/checks/patterns.mjs: read the text with a scan (domain/text/scan/scan.ts), or bound the pattern:\n  ${problems.join('\n  ')}\n`,
  );
  process.exit(1);
}
const exceptions = Object.keys(EXCEPTIONS).length;
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(
  `${found.size} patterns in ${files.length} files are linear or bounded (${exceptions} listed); ${seconds} s\n`,
);

/** @param {string} file */
function read(file) {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  /** @param {ts.Node} node @param {string} pattern */
  const add = (node, pattern) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const places = found.get(pattern) ?? [];
    places.push(`${file}:${line + 1}`);
    found.set(pattern, places);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) add(node, node.text);
    else if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [pattern] = node.arguments ?? [];
      // Constants are found where they are declared.
      const isConstant = pattern && ts.isIdentifier(pattern) && TEXT_NAMES.test(pattern.text);
      if (pattern && !isConstant) {
        const isText = ts.isStringLiteralLike(pattern);
        add(node, isText ? `/${pattern.text}/u` : node.getText(source).replaceAll(/\s+/g, ' '));
      }
    } else if (
      (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) &&
      ts.isIdentifier(node.name) &&
      TEXT_NAMES.test(node.name.text) &&
      node.initializer &&
      ts.isStringLiteralLike(node.initializer)
    ) {
      add(node, `/${node.initializer.text}/u`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/**
 * @param {string} pattern
 * @returns {string} `safe`, or what is wrong
 */
function verdictOf(pattern) {
  if (!pattern.startsWith('/')) return 'it is built at runtime, which this check cannot read';
  const end = pattern.lastIndexOf('/');
  const flags = pattern.slice(end + 1);
  const isSets = flags.includes('v');
  const source = pattern.slice(1, end);
  const result = checkSync(isSets ? withoutSets(source) : source, flags.replace('v', 'u'), {
    ...{ checker: 'automaton', timeout: TIMEOUT_MS },
  });
  if (result.status === 'safe') return 'safe';
  if (result.status === 'vulnerable')
    return `${result.complexity.summary}, for example ${result.attack.pattern.slice(0, 200)}`;
  return `it cannot be judged: ${'message' in result.error ? result.error.message : result.error.kind}`;
}

/**
 * A pattern of the flag `v` for a checker that does not know it: each class becomes one of all characters, which is at
 * least as slow.
 * @param {string} source
 */
function withoutSets(source) {
  let out = '';
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    if (sign === '[') depth += 1;
    if (depth === 0) out += sign === '\\' ? `\\${source[at]}` : sign;
    if (sign !== ']' || depth === 0) continue;
    depth -= 1;
    if (depth === 0) out += '[\\s\\S]';
  }
  return out;
}
