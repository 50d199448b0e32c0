import type { CodeExplanation } from '@chargehand/contract';
import { type DocumentType, MAX_EXPLAINED, MAX_EXPLAINED_MODELS } from '@chargehand/domain';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryOf } from '../../api/query.ts';
import { usePermitted } from '../../session/permitted.tsx';

/** Documents change rarely, and an old short answer is not wrong. Milliseconds. */
const FRESH_MS = 5 * 60_000;
/** Proxies may refuse longer URLs. Characters. */
const LENGTH = 4_000;
/** Codes of former rows that are requested again together with new ones. */
const KEPT = 200;
/** How long codes of new rows are collected. Milliseconds. */
const COLLECT_MS = 5_000;

/**
 * The short answers for the codes or keys of a page, in one request if it is not very long: of one device model, or of
 * the models of its rows. Rows that come and go with live updates lead to a request only when one has a new code or
 * model. Returns nothing for codes without a document, and for users who may not read documents.
 */
export function useExplanations(
  type: DocumentType,
  codes: readonly string[],
  models: number | null | readonly (number | null)[],
): (code: string, model?: number | null) => CodeExplanation | undefined {
  const reads = usePermitted(['auth_docs_detail']);
  const only = typeof models === 'number' ? models : null;
  const requested = useRequested(
    codes,
    [models].flat().filter((id) => id !== null),
  );
  const ids = [...requested.ids].sort((a, b) => a - b).slice(0, MAX_EXPLAINED_MODELS);
  const deviceModelIds = ids.length === 0 ? undefined : ids.join(',');
  return useQueries({
    queries: (reads ? partsOf(requested.codes) : []).map((part) => ({
      ...queryOf('explainCodes', { query: { type, codes: part.join(','), deviceModelIds } }, { quiet: true }),
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
    })),
    combine: (results) => {
      const found = results.flatMap(({ data }) => data?.items ?? []);
      const items = new Map(found.map((item) => [nameOf(item.key, item.deviceModelId), item]));
      return (code: string, model = only) => items.get(nameOf(code, model)) ?? items.get(nameOf(code, null));
    },
  });
}

/** Whether the documents of one code are known. The request is the one of `useExplanations`. */
export function useExplained(type: DocumentType, code: string, model: number | null): boolean {
  const reads = usePermitted(['auth_docs_detail']);
  const deviceModelIds = model === null ? undefined : `${model}`;
  const asks = reads && code !== '' && !code.includes(',');
  const { isSuccess } = useQuery({
    ...queryOf('explainCodes', { query: { type, codes: code, deviceModelIds } }, { quiet: true }),
    ...{ staleTime: FRESH_MS, refetchOnWindowFocus: false, enabled: asks },
  });
  return isSuccess;
}

interface Requested {
  codes: readonly string[];
  ids: readonly number[];
}

/**
 * The codes and models so far, each once. The first ones are returned at once, later ones together with others that
 * arrive within `COLLECT_MS`.
 */
function useRequested(codes: readonly string[], ids: readonly number[]): Requested {
  const [requested, setRequested] = useState<Requested>({ codes: [], ids: [] });
  const next = {
    codes: withAdded(requested.codes, codes, KEPT),
    ids: withAdded(requested.ids, ids, MAX_EXPLAINED_MODELS),
  };
  const latest = useRef(next);
  useEffect(() => {
    latest.current = next;
  });
  const changes = next.codes !== requested.codes || next.ids !== requested.ids;
  const first = changes && requested.codes.length === 0;
  if (first && codes.length > 0) setRequested(next);
  const waits = changes && !first;
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setRequested(latest.current), COLLECT_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return first ? next : requested;
}

/** `values` and the added ones, each once. Only the added ones when there are more than `most`. */
function withAdded<T>(values: readonly T[], added: readonly T[], most: number): readonly T[] {
  const others = new Set(added.filter((value) => !values.includes(value)));
  if (others.size === 0) return values;
  return values.length + others.size > most ? [...new Set(added)] : [...values, ...others];
}

const nameOf = (code: string, model: number | null) => `${model ?? ''} ${code}`;

/** The codes in a fixed order, each once, in parts that fit into a request. */
function partsOf(codes: readonly string[]): string[][] {
  const parts: string[][] = [];
  let length = 0;
  for (const code of [...new Set(codes)].filter((one) => one !== '' && !one.includes(',')).sort()) {
    const size = encodeURIComponent(code).length + 3;
    const current = parts.at(-1);
    if (current && current.length < MAX_EXPLAINED && length + size <= LENGTH) {
      current.push(code);
      length += size;
    } else {
      parts.push([code]);
      length = size;
    }
  }
  return parts;
}
