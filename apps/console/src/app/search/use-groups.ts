import { SEARCH_KINDS, type SearchKind } from '@chargehand/contract/constants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { matchPath, useLocation } from 'react-router';
import { tabLabels } from '../../shared/hooks/use-tab-label.ts';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { useExternal } from '../../shared/lib/external.ts';
import { type Entry, entryOf, listPathOf } from './entries.ts';
import { matchNames, splitCommand } from './match-names.ts';
import { recentEntries } from './recent.ts';
import { type DeviceCommand, useCommands } from './use-commands.ts';
import { usePages } from './use-pages.ts';
import { type Found, useSearch } from './use-search.ts';

const MOST = 5;

export interface Group {
  name: 'here' | 'recent' | SearchKind | 'page' | 'command';
  entries: readonly Entry[];
}

/** The results of a search text in groups, and what is shown instead of some of them. */
export interface Groups extends Omit<Found, 'groups'> {
  groups: readonly Group[];
  hint: string | null;
}

/** The device whose page is open; null on other pages. */
function useOpenDevice(): { path: string; name: string | undefined } | null {
  const { pathname } = useLocation();
  const name = useExternal(tabLabels)[pathname];
  const isDevice = matchPath('/manage/device/:listtype?/detail/:id/:type?', pathname) !== null;
  return isDevice ? { path: pathname, name } : null;
}

/**
 * Everything that a text finds: rows from the server, pages and commands. Without a text, the commands on the device that
 * is open, and what was opened recently.
 */
export function useGroups(text: string): Groups {
  const { t } = useTranslation('search');
  const pages = usePages();
  const commands = useCommands();
  const own = useLocale();
  const [recent] = useState(recentEntries);
  const here = useOpenDevice();
  const onHere = (kinds: readonly DeviceCommand[]): Group => ({
    name: 'here',
    entries:
      here === null
        ? []
        : kinds.map(({ title, name, kind }) => ({
            ...{ key: `here:${name}`, title: here.name ? t('onDevice', { command: title, name: here.name }) : title },
            ...{ to: `${here.path}?command=${kind}`, isList: true },
          })),
  });
  const onDevice = splitCommand(commands.onDevices, text);
  const wanted = onDevice ? onDevice.rest : text;
  const found = useSearch(wanted);
  const rows = SEARCH_KINDS.flatMap((kind): Group[] => {
    const group = found.groups.find((one) => one.kind === kind);
    if (!group) return [];
    const entries = group.items.map((hit) => entryOf(kind, hit, own));
    const all = { key: `all:${kind}`, title: t(`all.${kind}`), to: listPathOf(kind, wanted), isList: true } as const;
    return [{ name: kind, entries: group.more ? [...entries, all] : entries }];
  });
  if (onDevice) {
    const { title, name, kind } = onDevice.command;
    const devices = rows.find((group) => group.name === 'device')?.entries.filter(({ hit }) => hit) ?? [];
    const entries = devices.map((device) => ({
      ...device,
      key: `${name}:${device.key}`,
      title: t('onDevice', { command: title, name: device.title }),
      to: `${device.to}?command=${kind}`,
      isList: true as const,
    }));
    if (wanted === '' && here !== null) return { ...found, groups: [onHere([onDevice.command])], hint: null };
    const hint = wanted === '' ? t('which', { command: title }) : null;
    return { ...found, groups: entries.length > 0 ? [{ name: 'command', entries }, ...rows] : rows, hint };
  }
  const named = [
    { name: 'page' as const, entries: matchNames(pages, text, MOST) },
    { name: 'command' as const, entries: matchNames(commands.own, text, MOST) },
  ];
  const groups =
    text === '' ? [onHere(commands.onDevices), { name: 'recent' as const, entries: recent }] : [...rows, ...named];
  const [first] = commands.onDevices;
  const start = first ? t('startCommand', { command: first.title }) : t('start');
  const hint = text === '' ? start : null;
  return { ...found, groups: groups.filter(({ entries }) => entries.length > 0), hint };
}
