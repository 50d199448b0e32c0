import type { FolderRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { droppedFiles, MOST_FILES } from '../../../shared/lib/files/dropped.ts';
import { sees } from '../../../testing/on-screen.ts';
import { sampleRow } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';
import { stubUploads, UPLOAD_CREDENTIAL } from '../../../testing/stub-uploads.ts';

/** Each test has its own user, because the queue of a user remains. */
let userId = 9_500;

const folder = (values: Partial<FolderRow>): FolderRow =>
  sampleRow('listFolders', { customerId: 1, customer: 'Vendor', may: { write: true }, ...values });
const FOLDERS = [
  folder({ id: 7, name: 'Manuals' }),
  folder({ id: 9, name: 'Photos' }),
  folder({ id: 10, name: 'trip', parentId: 9 }),
];

/** A folder as a browser hands it over: its entries come in portions, then nothing. */
function directory(name: string, content: readonly FileSystemEntry[], portion = 1): FileSystemEntry {
  const createReader = () => {
    let next = 0;
    return {
      readEntries(resolve: (entries: FileSystemEntry[]) => void) {
        const entries = content.slice(next, next + portion);
        next += entries.length;
        queueMicrotask(() => resolve(entries));
      },
    };
  };
  return { name, isDirectory: true, isFile: false, createReader } as never;
}
const entry = (name: string): FileSystemEntry =>
  ({
    ...{ name, isDirectory: false, isFile: true },
    file: (resolve: (file: File) => void) => resolve(new File(['some text'], name, { type: 'text/plain' })),
  }) as never;
const transferOf = (...entries: FileSystemEntry[]): DataTransfer =>
  ({
    types: ['Files'],
    items: entries.map((one) => ({
      kind: 'file',
      webkitGetAsEntry: () => one,
      getAsFile: () => (one.isDirectory ? null : new File(['some text'], one.name)),
    })),
    getData: () => '',
  }) as never;

/** Drops files of the computer on an element. */
function drop(target: Element, transfer: DataTransfer): void {
  const event = new Event('drop', { bubbles: true, cancelable: true });
  Object.defineProperty(event, 'dataTransfer', { value: transfer });
  target.dispatchEvent(event);
}

interface Registered {
  folderId: number;
  files: readonly { name: string }[];
}

const TRIP = directory('Trip', [entry('a.txt'), directory('Day 1', [entry('b.txt')]), entry('c.txt')]);

async function open(more: Answers = {}) {
  userId += 1;
  let id = 100;
  stubUploads();
  const stage = await showConsole('/manage/attach/list?folder=9', {
    user: { id: userId },
    answers: {
      listFolders: { items: FOLDERS },
      readQuota: { customerId: 1, files: 0, used: 0, limit: 1_024 ** 3 },
      writeCredentials: UPLOAD_CREDENTIAL,
      createFolder: () => ({ id: id++ }),
      registerAttachments: ({ body }) => ({
        results: (body as Registered).files.map(({ name }) => ({ code: 0, message: '', name })),
      }),
      ...more,
    },
  });
  await sees(page.getByRole('tree').getByText('Manuals'), page.getByText(stage.t('attachments:emptyDrop')));
  const registered = () =>
    stage.server
      .sent('registerAttachments')
      .map(({ body }) => body as Registered)
      .flatMap(({ files, folderId }) => files.map(({ name }) => `${folderId} ${name}`))
      .sort();
  return { ...stage, registered };
}

test('a dropped folder is read in portions, with its folders', async () => {
  const found = await droppedFiles(transferOf(entry('top.txt'), TRIP));
  expect(found.map(({ file, path }) => [...path, file.name].join('/'))).toEqual([
    'top.txt',
    'Trip/a.txt',
    'Trip/Day 1/b.txt',
    'Trip/c.txt',
  ]);
});

test('a dropped folder goes into the open one: folders that exist are used, others are added', async () => {
  const { t, server, registered } = await open();
  drop(page.getByText(t('attachments:emptyDrop')).element(), transferOf(TRIP));
  await expect.poll(registered).toEqual(['10 a.txt', '10 c.txt', '100 b.txt']);
  expect(server.sent('createFolder').map(({ body }) => body)).toEqual([{ name: 'Day 1', folderId: 10 }]);
});

test('a folder that is dropped on one of the tree goes there', async () => {
  const { server, registered } = await open();
  drop(page.getByRole('tree').getByText('Manuals').element(), transferOf(TRIP, entry('d.txt')));
  await expect.poll(registered).toEqual(['100 a.txt', '100 c.txt', '101 b.txt', '7 d.txt']);
  expect(server.sent('createFolder').map(({ body }) => body)).toEqual([
    { name: 'Trip', folderId: 7 },
    { name: 'Day 1', folderId: 100 },
  ]);
});

test('nothing is uploaded when a folder cannot be added, and the reason is shown', async () => {
  const { t, server } = await open({
    createFolder: () => {
      throw new Refused('attachmentFolderMany', { most: 2_000 });
    },
  });
  drop(page.getByText(t('attachments:emptyDrop')).element(), transferOf(TRIP));
  await sees(page.getByText(/folders at most/));
  expect(server.sent('writeCredentials')).toHaveLength(0);
});

test('a folder with too many files is refused as a whole', async () => {
  const { t, server } = await open();
  const files = Array.from({ length: MOST_FILES + 1 }, (_, number) => entry(`${number}.txt`));
  drop(page.getByText(t('attachments:emptyDrop')).element(), transferOf(directory('Many', files, 100)));
  await sees(t('attachments:uploads.tooMany', { count: MOST_FILES }));
  expect(server.sent('createFolder')).toHaveLength(0);
});
