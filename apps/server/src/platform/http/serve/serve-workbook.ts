import type { Endpoint } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { XLSX_TYPE } from '../../xlsx/xlsx.ts';
import { attachment, dayStamp } from './attachment.ts';
import { lasting } from './lasting.ts';
import { type Call, serve } from './serve.ts';

/** A spreadsheet that is being written: its file name, and its bytes, created as they are read. */
export interface Workbook {
  name: string;
  content: AsyncIterable<Buffer>;
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
    const { name, content } = open(call as unknown as Call<E>);
    attachment(call.reply, `${name} ${dayStamp(new Date())}.xlsx`, XLSX_TYPE);
    void call.reply.send(lasting(call.request, content));
    return null;
  });
}
