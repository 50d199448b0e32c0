import { formatTime } from '@chargehand/domain';
import type { FastifyReply } from 'fastify';

/**
 * Makes an answer a file download (RFC 6266): the full name for current browsers, in ASCII for others; never cached.
 */
export function attachment(reply: FastifyReply, name: string, type: string): void {
  const plain = name.replace(/[^\x20-\x7e]|["\\/]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  void reply
    .type(type)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${full}`)
    .header('cache-control', 'no-store');
}

/** The time in a file name, in the default time zone of spec §9: `20260102-030405`. */
export function dayStamp(at: Date): string {
  return formatTime(at).replace(/[-:]/g, '').replace(' ', '-');
}
