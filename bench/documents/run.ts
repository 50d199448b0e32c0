// The search of documents. First recall and precision on the documents that come with the product (apps/server/content):
// every query is compared with a plain search of the whole texts in this process. The goal is 1.000 for both. Then the
// time of a search over HTTP with many sections: p95 at most 50 ms. `BENCH_SECTIONS` is their number (default 7,000;
// `--full`: 70,000), and `BENCH_REQUESTS` the number of searches of each kind. The floor is the bare query of the index
// through a plain `node:http` handler.
import { Agent } from 'node:http';
import { type DocumentContent, headingsOf, textOfContent } from '@chargehand/domain';
import { at, bareServer, fetched, ms, startSides, timed } from '../side-by-side.ts';
import { type CorpusText, findPlainly, type Query, queriesFrom, wordsOf } from './corpus.ts';
import { fillSections } from './fill.ts';

const LIMIT_MS = 50;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 300);
const SECTIONS = Number(process.env.BENCH_SECTIONS ?? (process.argv.includes('--full') ? 70_000 : 7_000));
/** Queries of each kind for recall and precision. */
const COMPARED = 300;

const sides = await startSides();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bare = await bareServer(sides.floor);
try {
  const corpus = await shippedTexts();
  const { rows } = await sides.floor.query<{ id: number }>(
    `insert into users (user_name, password_hash, customer_id, root)
     select 'bench_root', 'none', min(id), true from customers returning id`,
  );
  await sides.floor.query(
    'insert into privacy_acceptances (user_id, version) select $1, version from privacy_policies',
    [rows[0]!.id],
  );
  const cookie = await sides.cookieOf(rows[0]!.id);
  const search = (text: string) =>
    fetched(agent, `${sides.url}/api/auth/sys/documents/search?limit=50&search=${encodeURIComponent(text)}`, cookie);

  const queries = queriesFrom(corpus, COMPARED);
  const exact = await compare(corpus, queries, search);

  await fillSections(sides.database, corpus, SECTIONS);
  const { rows: counted } = await sides.floor.query<{ count: string }>('select count(*) from document_sections');
  console.log(`\n${Number(counted[0]!.count).toLocaleString('en')} sections; ${REQUESTS} searches of each kind`);
  let slowest = 0;
  for (const [kind, of] of Map.groupBy(queries, (query) => query.kind)) {
    let next = 0;
    const text = () => of[next++ % of.length]!.text;
    await timed(10, () => search(text()));
    const made = await timed(REQUESTS, () => search(text()));
    const first = of[0]!.text.replaceAll("'", "''");
    bare.serve([
      `select document_id from document_sections where terms @@ phraseto_tsquery('simple', '${first}') limit 50`,
    ]);
    const floor = await timed(REQUESTS, () => fetched(agent, bare.url, undefined));
    slowest = Math.max(slowest, at(made, 0.95));
    console.log(
      `  ${kind.padEnd(24)} floor p95 ${ms(at(floor, 0.95))}   search p50 ${ms(at(made, 0.5))} p95 ${ms(at(made, 0.95))}`,
    );
  }
  const fast = slowest <= LIMIT_MS;
  console.log(`slowest p95 of a search ${ms(slowest)} (at most ${LIMIT_MS} ms): ${fast ? 'kept' : 'MISSED'}`);
  if (!exact || !fast) process.exitCode = 1;
} finally {
  agent.destroy();
  await bare.stop();
  await sides.stop();
}

/** The texts that come with the product, once the server has added them. */
async function shippedTexts(): Promise<CorpusText[]> {
  for (let known = -1; ; ) {
    const { rows } = await sides.floor.query<{
      id: number;
      locale: string;
      title: string;
      description: string;
      body: DocumentContent;
    }>('select document_id as id, locale, title, description, body from document_texts order by 1, 2');
    // All of them are added in one transaction.
    if (rows.length > 0 && rows.length === known)
      return rows.map(({ body, ...text }) => ({ ...text, sections: sections(text, body) }));
    known = rows.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The searched parts of a text: its title with the summary, and each heading with the text below it. */
function sections({ title, description }: { title: string; description: string }, body: DocumentContent): string[] {
  const parts = [[title, description]];
  let current: string[] = [];
  for (const node of body.content) {
    if (node.type === 'heading') {
      parts.push(current);
      current = [];
    }
    current.push(textOfContent(node));
  }
  parts.push(current);
  if (parts.length < headingsOf(body).length) throw new Error('a heading is not at the top of the text');
  return parts.map((lines) => lines.join('\n')).filter((part) => part.trim() !== '');
}

/** Compares the search with a plain one, prints recall and precision of each kind, and returns true when both are 1. */
async function compare(
  corpus: readonly CorpusText[],
  queries: readonly Query[],
  search: (text: string) => Promise<string>,
): Promise<boolean> {
  console.log(`documents: ${corpus.length} texts; recall and precision of ${COMPARED} queries of each kind`);
  const { rows: stems } = await sides.floor.query<{ word: string; stem: string | null }>(
    `select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) as word`,
    [wordsOf(corpus)],
  );
  // A word without a stem, such as "the", is found by its start only.
  const stemOf = new Map(stems.map(({ word, stem }) => [word, stem ?? word]));
  let exact = true;
  for (const [kind, of] of Map.groupBy(queries, (query) => query.kind)) {
    let wanted = 0;
    let found = 0;
    let right = 0;
    for (const query of of) {
      const expected = new Set(findPlainly(corpus, query, stemOf));
      const { data } = JSON.parse(await search(query.text)) as {
        data: { items: { documentId: number; locale: string }[] };
      };
      const hits = data.items.map(({ documentId, locale }) => `${documentId} ${locale}`);
      // A response has at most 50 hits.
      wanted += Math.min(expected.size, 50);
      found += hits.length;
      right += hits.filter((hit) => expected.has(hit)).length;
    }
    const [recall, precision] = [right / wanted, right / found];
    exact &&= recall === 1 && precision === 1;
    console.log(`  ${kind.padEnd(24)} recall ${recall.toFixed(3)}   precision ${precision.toFixed(3)}`);
  }
  return exact;
}
