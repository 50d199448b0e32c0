import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visitor } from './visitor.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Theme = 'light' | 'dark';

/** In the browser: the changes of a theme on every page. */
const BACKGROUND = 'getComputedStyle(document.documentElement).backgroundColor';

/** In the browser: waits until components are rendered again and no color transition is running. */
const AT_REST = `(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map((one) => one.finished));
})()`;

interface Finding {
  impact: string;
  id: string;
  help: string;
  nodes: { html: string; target: string[] }[];
}

/** In the browser: disables the rules whose findings are never serious or critical. They would be ignored below. */
const SERIOUS_RULES = `Object.fromEntries(
  axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate').map(({ id }) => [id, { enabled: false }])
)`;

/**
 * The problems that axe finds on the current page and that prevent users from using it: serious and critical ones. The
 * page is checked in the current theme, then in the other one for contrast only, because a theme changes only colors.
 * It stays in the other theme, so that each theme is the first one on every second page.
 */
async function findings({ page }: Visitor, screen: string): Promise<string[]> {
  await page.evaluate(AXE);
  const run = async (theme: Theme, limit: string) => {
    const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'], ${limit} })`)) as {
      violations: Finding[];
    };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${screen} (${theme}): ${id} (${help}): ${html.slice(0, 160)}`),
      );
  };
  const dark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);
  const [first, second]: Theme[] = dark ? ['dark', 'light'] : ['light', 'dark'];
  const found = await run(first!, `rules: ${SERIOUS_RULES}`);
  await turn(page, second!);
  found.push(...(await run(second!, `runOnly: ['color-contrast']`)));
  return found;
}

/** Switches the color scheme of the system, and waits until the page has followed. */
async function turn(page: Page, theme: Theme): Promise<void> {
  const before = await page.evaluate(BACKGROUND);
  await page.emulateMedia({ colorScheme: theme });
  await expect.poll(() => page.evaluate(BACKGROUND), { message: `the ${theme} theme` }).not.toBe(before);
  await page.evaluate(AT_REST);
}

/** Checks one page after the other: opens it, brings it into the required state, and collects the findings of axe. */
export function looker(visitor: Visitor) {
  const { page } = visitor;
  const found: string[] = [];
  const dialog = page.getByRole('dialog').last();
  return {
    found,
    /** the last opened dialog or drawer */
    dialog,
    /** Presses a button, by the key of its text, and waits for what it opens. */
    press: (key: string) => async () => {
      await visitor.button(visitor.t(key)).first().click();
      await dialog.waitFor();
    },
    async look(path: string, act?: () => Promise<unknown>): Promise<void> {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'hidden' });
      await act?.();
      found.push(...(await findings(visitor, path)));
    },
    shows: (text: string) => () => page.getByText(text).first().waitFor(),
  };
}
