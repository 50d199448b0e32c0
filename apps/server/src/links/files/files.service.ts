import { posix } from 'node:path';
import type { LinkTransfer, Locale, WithDates } from '@chargehand/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { rangeOf } from '../../platform/http/range.ts';
import { attachment } from '../../platform/http/serve/attachment.ts';
import { whilePermitted } from '../../platform/http/serve/while-permitted.ts';
import type { Terminals } from '../terminal/terminals.ts';
import type { TerminalFiles } from './terminal-files.ts';

export type LinkFilesService = ReturnType<typeof linkFilesService>;

/** Where a call wants to work: a link, and one of its terminals. */
interface Place {
  linkId: number;
  /** of the terminal */
  key: string;
  /** the cookie of the session that opened the terminal */
  token: string;
}

/** The files of devices, through open terminals. */
export function linkFilesService(terminals: Pick<Terminals, 'filesOf'>) {
  /** @throws {Problem} terminalOver */
  function filesOf({ linkId, key, token }: Place): TerminalFiles {
    const files = terminals.filesOf(linkId, key, token);
    if (!files) throw new Problem('terminalOver');
    return files;
  }

  /** A path must be absolute: relative ones would depend on the folder of the SFTP server. */
  function checked(path: string, field: string): string {
    if (!path.startsWith('/') || path.includes('\0'))
      throw new Problem('fieldFormat', { field, values: { expected: '/folder/file' } });
    return posix.normalize(path);
  }

  function transferOf(files: TerminalFiles, id: string, locale: Locale): WithDates<LinkTransfer> {
    const found = files.transfers(locale).find((one) => one.id === id);
    if (!found) throw notFound('linkTransfer');
    return found;
  }

  return {
    list: (place: Place, path?: string) => filesOf(place).list(path === undefined ? undefined : checked(path, 'path')),

    async createFolder(place: Place, path: string): Promise<object> {
      await filesOf(place).createFolder(checked(path, 'path'));
      return {};
    },

    async rename(place: Place, path: string, to: string): Promise<object> {
      await filesOf(place).rename(checked(path, 'path'), checked(to, 'to'));
      return {};
    },

    async remove(place: Place, path: string): Promise<object> {
      await filesOf(place).remove(checked(path, 'path'));
      return {};
    },

    transfers: async (place: Place, locale: Locale) => ({ items: filesOf(place).transfers(locale) }),

    async startDownload(place: Place, path: string, locale: Locale): Promise<WithDates<LinkTransfer>> {
      const files = filesOf(place);
      return transferOf(files, await files.startDownload(checked(path, 'path')), locale);
    },

    /** Answers with a file, or a range of it. */
    async download(place: Place, id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { range: wanted, 'if-range': condition } = request.headers;
      let range: ReturnType<typeof rangeOf> = 'whole';
      const { path, size, tag, content } = await filesOf(place).read(id, (file) => {
        if (condition === undefined || condition === file.tag) range = rangeOf(wanted, file.size);
        if (range === 'none') return null;
        return range === 'whole' ? { from: 0, to: file.size } : { from: range.first, to: range.last + 1 };
      });
      const part = range as ReturnType<typeof rangeOf>;
      attachment(reply, posix.basename(path), 'application/octet-stream');
      void reply.headers({ etag: tag, 'accept-ranges': 'bytes' });
      if (!content) return void reply.code(416).header('content-range', `bytes */${size}`).send();
      if (typeof part === 'object') {
        void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
        void reply.header('content-length', part.last - part.first + 1);
      } else if (size > 0) void reply.header('content-length', size);
      const stream = whilePermitted(request, content.bytes);
      content.onStop(() => stream.destroy(new Error('the download was cancelled')));
      reply.raw.once('close', content.over);
      void reply.send(stream);
    },

    startUpload: (place: Place, entered: { path: string; size: number; replace: boolean }) =>
      filesOf(place).startUpload({ ...entered, path: checked(entered.path, 'path') }),

    upload: async (place: Place, id: string) => filesOf(place).upload(id),

    async part(place: Place, id: string, offset: number, request: FastifyRequest) {
      const { part } = request;
      const files = filesOf(place);
      if (!part) throw new Problem('badBody');
      try {
        return await files.part(id, offset, part);
      } catch (error) {
        // The sender reads the answer after it has sent the part.
        part.resume();
        throw error;
      }
    },

    async cancel(place: Place, id: string): Promise<object> {
      await filesOf(place).cancel(id);
      return {};
    },
  };
}
