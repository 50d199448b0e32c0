import { type Editor, Extension, type Range } from '@tiptap/core';
import { PluginKey } from '@tiptap/pm/state';
import { Suggestion, type SuggestionProps } from '@tiptap/suggestion';
import css from './suggestions.module.css';

/** An entry of the list that opens while typing after `@` or `/`. */
export interface Suggested {
  label: string;
  /** what distinguishes it from others with the same label */
  note: string;
  run(editor: Editor, range: Range): void;
}

export type FindSuggested = (query: string, signal: AbortSignal) => Suggested[] | Promise<Suggested[]>;

interface Options {
  char: '@' | '/';
  /** the accessible name of the list */
  label(): string;
  /** shown when nothing was found */
  nothing(): string;
  find: FindSuggested;
  debounce?: number;
}

/** A list that opens while typing after a character: arrow keys choose, Enter or Tab inserts, Escape closes. */
export function suggestions(options: Options): Extension {
  const name = options.char === '@' ? 'mentions' : 'slash';
  return Extension.create({
    name,
    addProseMirrorPlugins() {
      return [
        Suggestion<Suggested, Suggested>({
          editor: this.editor,
          pluginKey: new PluginKey(name),
          char: options.char,
          // Chinese text has no spaces in front of a mention.
          allowedPrefixes: options.char === '@' ? null : [' '],
          startOfLine: options.char === '/',
          debounce: options.debounce ?? 0,
          allow: ({ editor }) => !editor.isActive('codeBlock'),
          items: ({ query, signal }) => options.find(query, signal),
          command: ({ editor, range, props }) => props.run(editor, range),
          render: () => popup(options),
        }),
      ];
    },
  });
}

function popup({ label, nothing }: Options) {
  const list = document.createElement('div');
  let unmount: () => void = () => undefined;
  let now: SuggestionProps<Suggested, Suggested> | null = null;
  let chosen = 0;

  function draw(): void {
    const items = now?.items ?? [];
    chosen = Math.min(chosen, Math.max(0, items.length - 1));
    list.replaceChildren(...items.map(entryOf));
    list.hidden = items.length === 0 && (now?.loading ?? false);
    if (items.length === 0 && !now?.loading) list.append(messageOf(nothing()));
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    now?.editor.view.dom.setAttribute('aria-activedescendant', `${list.id}-${chosen}`);
  }

  function entryOf(item: Suggested, index: number): HTMLElement {
    const entry = document.createElement('div');
    entry.id = `${list.id}-${index}`;
    entry.setAttribute('role', 'option');
    entry.setAttribute('aria-selected', String(index === chosen));
    const note = document.createElement('span');
    note.textContent = item.note;
    entry.append(item.label, note);
    // Not a click: it would come after the editor has lost the focus.
    entry.onpointerdown = (event) => {
      event.preventDefault();
      now?.command(item);
    };
    return entry;
  }

  return {
    onStart(props: SuggestionProps<Suggested, Suggested>) {
      now = props;
      chosen = 0;
      list.id = `suggestions-${props.range.from}`;
      list.className = css.list ?? '';
      list.setAttribute('role', 'listbox');
      list.setAttribute('aria-label', label());
      draw();
      unmount = props.mount(list);
    },
    onUpdate(props: SuggestionProps<Suggested, Suggested>) {
      if (props.query !== now?.query) chosen = 0;
      now = props;
      draw();
    },
    onKeyDown({ event }: { event: KeyboardEvent }): boolean {
      const items = now?.items ?? [];
      // Enter ends the composition of a Chinese word.
      if (event.isComposing || items.length === 0) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0) {
        chosen = (chosen + step + items.length) % items.length;
        draw();
        return true;
      }
      if (event.key !== 'Enter' && event.key !== 'Tab') return false;
      now?.command(items[chosen]!);
      return true;
    },
    onExit() {
      now?.editor.view.dom.removeAttribute('aria-activedescendant');
      unmount();
    },
  };
}

function messageOf(text: string): HTMLElement {
  const message = document.createElement('p');
  message.textContent = text;
  return message;
}
