import type { Endpoint } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { XLSX_TYPE } from '../../xlsx/xlsx.ts';
import { attachment, dayStamp } from './attachment.ts';
import { lasting } from './lasting.ts';
import { type Call, serve } from './serve.ts';

/** A spreadsheet as it is written: what it is called, and its bytes, made as they are read. */
export interface Workbook {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** Serves an endpoint that answers a spreadsheet; `open` decides whether the caller may have it, before the first byte. */
export function serveWorkbook<E extends Endpoint & { answer: null }>(
  app: FastifyInstance,
  endpoint: E,
  open: (call: Call<E>) => Workbook,
): void {
  serve<Endpoint & { answer: null }>(app, endpoint, async (call) => {
    const { name, content } = open(call as unknown as Call<E>);
    attachment(call.reply, `${name} ${dayStamp(new Date())}.xlsx`, XLSX_TYPE);
    void call.reply.send(lasting(call.request, content));
    return null;
  });
}
