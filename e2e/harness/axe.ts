import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Visitor } from './visitor.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Theme = 'light' | 'dark';

interface Finding {
  impact: string;
  id: string;
  help: string;
  nodes: { html: string; target: string[] }[];
}

/** What axe finds on the page as it stands that keeps somebody from using it: serious and critical findings. */
async function findings({ page }: Visitor, screen: string, theme: Theme): Promise<string[]> {
  await page.evaluate(AXE);
  // All that a theme changes is colour.
  const rules = theme === 'dark' ? `, runOnly: ['color-contrast']` : '';
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations']${rules} })`)) as {
    violations: Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${screen}: ${id} (${help}): ${html.slice(0, 160)}`));
}

/** Looks at one screen after the other: opens it, brings it into the state that is meant, and collects what axe finds. */
export function looker(visitor: Visitor, theme: Theme) {
  const { page } = visitor;
  const found: string[] = [];
  const dialog = page.getByRole('dialog').last();
  return {
    found,
    /** what was opened last on top of the page */
    dialog,
    /** Presses a button, by the key of its words, and waits for what it opens. */
    press: (key: string) => async () => {
      await visitor.button(visitor.t(key)).first().click();
      await dialog.waitFor();
    },
    async look(path: string, act?: () => Promise<unknown>): Promise<void> {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'hidden' });
      await act?.();
      found.push(...(await findings(visitor, path, theme)));
    },
    shows: (text: string) => () => page.getByText(text).first().waitFor(),
  };
}
