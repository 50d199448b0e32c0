import type { Endpoint } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { XLSX_TYPE } from '../../xlsx/xlsx.ts';
import { attachment, dayStamp } from './attachment.ts';
import { type Call, serve } from './serve.ts';
import { whilePermitted } from './while-permitted.ts';

/** The media types of exports that are text (RFC 4180, jsonlines.org). */
export const TEXT_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' } as const;

/** A file that is being written, by default a spreadsheet: its name, and its bytes, created as they are read. */
export interface Workbook {
  name: string;
  content: AsyncIterable<Buffer | string>;
  /** the kind of file, when it is no spreadsheet */
  kind?: 'csv' | 'jsonl';
}

/**
 * Serves an endpoint that answers with a spreadsheet. `open` decides before the first byte whether the caller may have
 * it.
 */
export function serveWorkbook<E extends Endpoint & { answer: null }>(
  app: FastifyInstance,
  endpoint: E,
  open: (call: Call<E>) => Workbook,
): void {
  serve<Endpoint & { answer: null }>(app, endpoint, async (call) => {
    const { name, content, kind } = open(call as unknown as Call<E>);
    const type = kind === undefined ? XLSX_TYPE : TEXT_TYPES[kind];
    attachment(call.reply, `${name} ${dayStamp(new Date())}.${kind ?? 'xlsx'}`, type);
    void call.reply.send(whilePermitted(call.request, content));
    return null;
  });
}
