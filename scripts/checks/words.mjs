// Checks the texts of the console: complete in both languages, every key used, no literal text in the code. Also finds
// private words in the code. i18next's own tool (`i18next-cli`) also finds missing and unused keys and literal text,
// but has no rules for singulars and words, so both would be needed. `node scripts/checks/words.mjs` prints the errors and
// exits with 1.
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import ts from 'typescript';

const CONSOLE = join(import.meta.dirname, '..', '..', 'apps', 'console', 'src');
const LOCALES = ['en-US', 'zh-CN'];
const DEFAULT_ROOM = 'common';

/**
 * A text with a count has a form for each plural of its language (i18next: `items_one` and `items_other` in English,
 * only `items_other` in Chinese). The code uses the key `items`.
 */
const PLURAL = /_(zero|one|two|few|many|other)$/;
/**
 * A number before a plural noun, as in `expires in {{days}} days`: wrong for one day. Limits, which are never 1, have one
 * of these words before them.
 */
const COUNTED =
  /(\w+ )?\{\{(?!percent|least|limit|seconds)\w+\}\} (?:[a-z-]+ ){0,2}?(?:blocks|commands|connectors|controls|days|devices|documents|entries|failures|files|hours|issues|items|mails|menus|messages|minutes|objects|pages|parameters|photos|problems|requests|rows|sessions|shifts|sites|steps|tokens|users|values|versions)\b/g;
const LIMITS = new Set(['most ', 'least ', 'than ', 'to ', 'first ', 'last ', 'within ']);
/** Texts whose numbers are constants of the product. */
const NEVER_ONE = new Set([
  'common.pages.jumpBack',
  'common.pages.jumpOn',
  'devices.import.drop',
  'report.contact.hint',
]);
/** Symbols of units, which are the same in every language. */
const UNITS = /^\s*(ms|s|V|A|W|kW|Wh|kWh|Hz|°C|%)\s*$/;

/** What English texts of the console say differently (docs/console.md, docs/glossary.md). */
const ENGLISH = [
  [/\bmails?\b(?! server)/i, 'email'],
  [/\bnicknames?\b/i, 'display name'],
  [/\bof (?:[^\s.]+ ){1,4}of (?:[^\s.]+ ){1,4}of\b/, 'a shorter phrase than a chain of “of”'],
  [/^(?:Check|Cleanup|Counting|Delivery|Removal) of\b/, 'a noun with its object before it, such as “Log cleanup”'],
  [/\b(?:taken over|broken off|handed over|former)\b/i, 'added, interrupted, sent or earlier'],
];

/** Words that are not terms of the field, with the words of docs/glossary.md to use instead. */
const PRIVATE_WORDS = [
  [/patience/i, 'timeout'],
  [/\bticketOffice\b/i, 'credentialIssuer'],
  [/\binTurns\b/, 'scheduledJob'],
  [/\bgathering\(/, 'batching'],
  [/\bkeptOutBy\b/, 'refusedBy'],
  [/\bfates?\b|\BFates?\b|FATES\b/, 'result'],
  [/\bmended\b/, 'fixed'],
  [/\b\w*Demands?\b|_DEMANDS\b/, 'required level'],
  [/\b\w+Viewings?\b|\bviewing[A-Z]\w*|\bViewing[A-Z]\w*/, 'impersonation'],
  [/\bthe blacklist\b|\w+Blacklist\b|\b\w*Blacklist[A-Z]\w*/, 'waiting devices'],
  [/\b(?:const|let|readonly|get|function) (?:asked|told|said)\b/, 'requested, sent or reported'],
  [/\b(?:is|are|was|were|be) told\b/, 'receives or learns'],
  [/\b(?:says|said) of\b/, 'reports about'],
  [/\bgives? back\b/, 'returns'],
  [/\bsigns? of life\b/, 'heartbeat'],
  [/\b(?:let in|kept out|keeps out)\b/, 'admitted or refused'],
  [/\b(?:handed in|hands in|hand in)\b/, 'uploaded'],
  [/\bspeaks for\b/, 'reports for'],
  [/\bknows (?:none|nothing)\b/, 'does not support or contain'],
  [/\bfor want of\b/, 'without'],
  [/\bof another make\b/, 'third-party'],
  [/\bunless (?:said|told)\b/i, 'by default'],
  [/\bheld against\b/i, 'compared with or verified against'],
  [/\bas (?:it|they) c[ao]me\b/i, 'unchanged'],
  [/\b(?:tak(?:es?|en)|took) back\b/i, 'cancelled'],
  [/\bladen\b/i, 'under load'],
  [/\bin the words of\b/i, 'as defined by'],
  [/\bstands? (?:under|below)\b/i, 'is in or is listed under'],
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the user who'],
  [/\btold apart\b/i, 'distinguished'],
  [/\bnow and then\b/i, 'occasionally'],
  [/\bon (?:its|their) way\b/i, 'in progress or loading'],
  [/\bwhat became of\b/i, 'result'],
  [/\b[hH]ears?\b|\b[hH]eard(?:[A-Z]\w*)?\b/, 'receives, received or reported'],
  [/\b\w*[kK]eeper\b/, 'store, tracker or updater'],
  [/\b(?:Speech|speech)\b/, 'encoder'],
  [/\b[hH]andover\b/, 'result of sending'],
  [/\b[iI]nquir(?:y|ies)\b/, 'request'],
  [/\b(?:Kept[A-Z]\w*|KEPT_\w+)/, 'stored'],
  [/\bWanted[A-Z]\w*/, 'requested'],
  [/\bask[A-Z]\w*|\b(?:ASK|TELL)_\w+/, 'request or send'],
  [/\b[lL]apsed\b/, 'expired'],
  [/\bunforeseen\b/i, 'unexpected'],
  [/\bthings?\b|\bThings?\b/, 'object, item or row'],
  [/\b[vV]erdicts?\b/, 'result'],
  [/\bListLook\b|\b[A-Z]\w*Signs\b/, 'view or progress'],
];
/** The code that is searched for private words: everything except these checks. */
const SOURCES = ['apps/*/src', 'packages/*/src', 'bench', 'e2e'];

/** Attributes and properties whose text is shown to users. */
const SHOWN = new Set(
  [
    ...[
      'title',
      'aria-label',
      'aria-description',
      'placeholder',
      'alt',
      'label',
      'text',
      'description',
      'detail',
      'note',
    ],
    ...[
      'tooltip',
      'okText',
      'cancelText',
      'message',
      'content',
      'extra',
      'header',
      'heading',
      'hint',
      'suffix',
      'prefix',
    ],
    ...[
      'addonBefore',
      'addonAfter',
      'emptyText',
      'subTitle',
      'tip',
      'checkedChildren',
      'unCheckedChildren',
      'children',
    ],
  ].map((name) => name.toLowerCase()),
);
/** Functions whose first argument is shown to users. */
const SHOWING = new Set(['toast.error', 'toast.success', 'toast.info']);

const complaints = [];
const rooms = readRooms();
const used = new Map(Object.keys(rooms).map((room) => [room, new Set()]));

for (const file of globSync('**/*.{ts,tsx}', { cwd: CONSOLE }).sort()) {
  if (!/\.(test|d)\.tsx?$/.test(file)) checkFile(file);
}
checkPrivateWords();
for (const [room, keys] of used) {
  for (const key of rooms[room].keys()) {
    if (!keys.has(key)) complaints.push(`locales/*/${room}.json: ${key} is not used`);
  }
}

if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  console.error(`\n${complaints.length} errors in the texts of the console.`);
  process.exit(1);
}
const count = Object.values(rooms).reduce((sum, keys) => sum + keys.size, 0);
console.log(
  `The texts of the console are complete: ${count} keys in ${Object.keys(rooms).length} rooms and ${LOCALES.length} languages.`,
);

function checkPrivateWords() {
  const project = join(import.meta.dirname, '..', '..');
  for (const file of globSync(
    SOURCES.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: project },
  ).sort()) {
    if (file.includes('node_modules')) continue;
    for (const [index, text] of readFileSync(join(project, file), 'utf8').split('\n').entries()) {
      for (const [pattern, instead] of PRIVATE_WORDS) {
        const [word] = pattern.exec(text) ?? [];
        if (word) complaints.push(`${file}:${index + 1}: “${word}”: write ${instead}`);
      }
    }
  }
}

/** The keys of every room, after a comparison of the languages. */
function readRooms() {
  const found = {};
  const files = new Set(LOCALES.flatMap((locale) => globSync('*.json', { cwd: join(CONSOLE, 'locales', locale) })));
  for (const file of [...files].sort()) {
    const room = basename(file, '.json');
    const [first, ...others] = LOCALES.map((locale) => readWords(locale, file));
    for (const [index, words] of others.entries()) compare(file, first, words, LOCALES[index + 1]);
    found[room] = first;
  }
  return found;
}

function readWords(locale, file) {
  const path = join(CONSOLE, 'locales', locale, file);
  try {
    return withoutPlurals(locale, file, new Map(flat(JSON.parse(readFileSync(path, 'utf8')))));
  } catch (error) {
    complaints.push(`locales/${locale}/${file}: ${error.message}`);
    return new Map();
  }
}

/** Merges the plural forms of a count under the key that the code uses, and reports missing forms. */
function withoutPlurals(locale, file, words) {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const merged = new Map();
  for (const [key, text] of words) {
    const base = key.replace(PLURAL, '');
    merged.set(base, text);
    if (locale === 'en-US') checkEnglish(file, key, String(text));
    if (base === key) {
      if (locale === 'en-US') checkSingular(file, key, String(text));
      continue;
    }
    for (const category of pluralCategories) {
      if (!words.has(`${base}_${category}`))
        complaints.push(`locales/${locale}/${file}: ${base}_${category} is missing`);
    }
  }
  return merged;
}

function checkEnglish(file, key, text) {
  for (const [pattern, instead] of ENGLISH) {
    const [found] = pattern.exec(text.replaceAll(/\{\{\w+\}\}/g, 'X')) ?? [];
    if (found) complaints.push(`locales/en-US/${file}: ${key}: “${found}”: write ${instead}`);
  }
}

function checkSingular(file, key, text) {
  for (const [found, before = ''] of text.matchAll(COUNTED)) {
    if (!LIMITS.has(before) && !NEVER_ONE.has(`${basename(file, '.json')}.${key}`))
      complaints.push(`locales/en-US/${file}: ${key}: “${found}” has no singular: use ${key}_one and ${key}_other`);
  }
}

function flat(words, prefix = '') {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' ? flat(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

/** Both languages must have the same keys with the same `{{values}}`, and no empty texts. */
function compare(file, first, other, locale) {
  for (const [key, text] of first) {
    if (!other.has(key)) complaints.push(`locales/${locale}/${file}: ${key} is missing`);
    else if (placeholders(text) !== placeholders(other.get(key))) {
      complaints.push(`locales/${locale}/${file}: ${key} has different {{values}} than ${LOCALES[0]}`);
    }
  }
  for (const [key, text] of other) {
    if (!first.has(key)) complaints.push(`locales/${LOCALES[0]}/${file}: ${key} is missing`);
    if (!String(text).trim()) complaints.push(`locales/${locale}/${file}: ${key} is empty`);
  }
}

function placeholders(text) {
  return [...String(text).matchAll(/\{\{(\w+)/g)]
    .map((match) => match[1])
    .sort()
    .join();
}

function checkFile(file) {
  const text = readFileSync(join(CONSOLE, file), 'utf8');
  const source = ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const speakers = new Map();
  visit(source, (node) => findSpeakers(node, speakers));
  visit(source, (node) => {
    noteKeys(node, speakers, source);
    findLiteralText(node, source);
  });
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** Finds the names of translation functions and their rooms: `const { t: say } = useTranslation('fleet')`. */
function findSpeakers(node, speakers) {
  if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isCallExpression(node.initializer)) return;
  if (node.initializer.expression.getText() !== 'useTranslation' || !ts.isObjectBindingPattern(node.name)) return;
  const argument = node.initializer.arguments[0];
  const room = argument && ts.isStringLiteralLike(argument) ? argument.text : DEFAULT_ROOM;
  for (const element of node.name.elements) {
    if ((element.propertyName ?? element.name).getText() !== 't') continue;
    const name = element.name.getText();
    speakers.set(name, new Set([...(speakers.get(name) ?? []), room]));
  }
}

/** Records the keys that the code uses, and reports those that do not exist. */
function noteKeys(node, speakers, source) {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'titleKey' && ts.isStringLiteralLike(node.initializer)) {
    note(['routes'], node.initializer.text, node, source);
  }
  if (!ts.isCallExpression(node) || node.arguments.length === 0) return;
  const callee = node.expression.getText();
  const from = callee === 'i18n.t' ? new Set([DEFAULT_ROOM]) : speakers.get(callee);
  if (from) noteArgument([...from], node.arguments[0], source);
}

function noteArgument(from, argument, source) {
  if (ts.isStringLiteralLike(argument)) return note(from, argument.text, argument, source);
  if (ts.isParenthesizedExpression(argument) || ts.isAsExpression(argument) || ts.isNonNullExpression(argument)) {
    return noteArgument(from, argument.expression, source);
  }
  if (ts.isConditionalExpression(argument)) {
    noteArgument(from, argument.whenTrue, source);
    return noteArgument(from, argument.whenFalse, source);
  }
  if (ts.isTemplateExpression(argument)) {
    const parts = [argument.head.text, ...argument.templateSpans.map((span) => span.literal.text)];
    return notePattern(from, new RegExp(`^${parts.map(escaped).join('[^.]+')}$`), argument, source);
  }
  // A computed key: every string in this file that equals a key counts as used.
  visit(source, (node) => {
    if (!ts.isStringLiteralLike(node)) return;
    for (const room of from) if (rooms[room]?.has(node.text)) used.get(room).add(node.text);
  });
}

function note(from, key, node, source) {
  const [first, rest] = key.split(':');
  const [choices, name] = rest === undefined ? [from, key] : [[first], rest];
  const hits = choices.filter((room) => rooms[room]?.has(name));
  for (const room of hits) used.get(room).add(name);
  if (hits.length === 0) complaints.push(`${place(node, source)}: there is no key ${name} in ${choices.join(' or ')}`);
}

function notePattern(from, pattern, node, source) {
  let hits = 0;
  for (const room of from) {
    for (const key of rooms[room]?.keys() ?? []) {
      if (!pattern.test(key)) continue;
      used.get(room).add(key);
      hits += 1;
    }
  }
  if (hits === 0) complaints.push(`${place(node, source)}: no key of ${from.join(' or ')} matches ${node.getText()}`);
}

/** Reports text that is shown to users and is not in the locale files. */
function findLiteralText(node, source) {
  if (ts.isJsxText(node)) return complain(node, node.text, source);
  if (ts.isJsxExpression(node) && node.expression && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))) {
    return inExpression(node.expression, source);
  }
  if (ts.isJsxAttribute(node) && isShown(node.name.getText()) && node.initializer) {
    if (ts.isStringLiteral(node.initializer)) return complain(node.initializer, node.initializer.text, source);
    if (ts.isJsxExpression(node.initializer) && node.initializer.expression)
      inExpression(node.initializer.expression, source);
    return;
  }
  if (ts.isPropertyAssignment(node) && isShown(node.name.getText().replace(/['"]/g, '')) && !isClassName(node))
    inExpression(node.initializer, source);
  if (ts.isCallExpression(node) && SHOWING.has(node.expression.getText()) && node.arguments[0]) {
    inExpression(node.arguments[0], source);
  }
}

/** Whether a property is one of `classNames`, which name parts of a component by words such as `title`. */
function isClassName({ parent }) {
  const owner = ts.isJsxExpression(parent.parent) ? parent.parent.parent : parent.parent;
  return (ts.isJsxAttribute(owner) || ts.isPropertyAssignment(owner)) && owner.name.getText() === 'classNames';
}

/** Follows an expression to the texts it may evaluate to. */
function inExpression(expression, source) {
  if (ts.isStringLiteralLike(expression)) return complain(expression, expression.text, source);
  if (ts.isTemplateExpression(expression)) {
    const texts = [expression.head.text, ...expression.templateSpans.map((span) => span.literal.text)];
    return complain(expression, texts.filter((text) => !UNITS.test(text)).join(' '), source);
  }
  if (ts.isParenthesizedExpression(expression)) return inExpression(expression.expression, source);
  if (ts.isConditionalExpression(expression)) {
    inExpression(expression.whenTrue, source);
    return inExpression(expression.whenFalse, source);
  }
  if (ts.isBinaryExpression(expression)) {
    const joins = [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken];
    if (joins.includes(expression.operatorToken.kind)) inExpression(expression.left, source);
    if ([...joins, ts.SyntaxKind.AmpersandAmpersandToken].includes(expression.operatorToken.kind)) {
      inExpression(expression.right, source);
    }
  }
}

function complain(node, text, source) {
  if (!/\p{L}/u.test(text) || isName(node)) return;
  complaints.push(`${place(node, source)}: text outside the locale files: ${JSON.stringify(text.trim())}`);
}

/** True for text that is the same in every language: in `<code>` or in an element with `translate="no"`. */
function isName(node) {
  for (let parent = node.parent; parent; parent = parent.parent) {
    const opening = ts.isJsxElement(parent)
      ? parent.openingElement
      : ts.isJsxSelfClosingElement(parent)
        ? parent
        : null;
    if (opening?.tagName.getText() === 'code') return true;
    if (opening?.attributes.properties.some((property) => property.getText() === 'translate="no"')) return true;
  }
  return false;
}

function isShown(name) {
  return SHOWN.has(name.toLowerCase());
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function place(node, source) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${relative('.', join(CONSOLE, source.fileName))}:${line + 1}`;
}
