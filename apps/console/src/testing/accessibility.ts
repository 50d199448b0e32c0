import axe, { type RunOptions } from 'axe-core';
import { expect } from 'vitest';
import { chooseTheme } from '../shared/theme/theme.ts';

/**
 * Fails with the serious and critical findings of axe in the open dialog, or on the page if there is none: in the light
 * theme, and in `npm run test:full` the contrast in the dark theme, which differs in colour only.
 */
export async function expectAccessible(): Promise<void> {
  const found = await findings('light', { rules: SERIOUS_RULES });
  if (import.meta.env.TEST_PART !== 'full') {
    expect(found).toEqual([]);
    return;
  }
  chooseTheme('dark');
  try {
    found.push(...(await findings('dark', { runOnly: ['color-contrast'] })));
  } finally {
    chooseTheme('system');
  }
  expect(found).toEqual([]);
}

/** The rules of axe with their fixed impact, which its types do not declare. */
const { _audit: audit } = axe as unknown as { _audit: { rules: { id: string; impact: string | null }[] } };
/** Disables the rules whose findings are never serious or critical. */
const SERIOUS_RULES = Object.fromEntries(
  audit.rules
    .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    .map(({ id }) => [id, { enabled: false }]),
);

async function findings(theme: string, options: RunOptions): Promise<string[]> {
  const open = [...document.querySelectorAll('[role=dialog], dialog[open]')].at(-1) ?? document.querySelector('main')!;
  await atRest();
  const { violations } = await axe.run(open, { resultTypes: ['violations'], ...options });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${theme}: ${id} (${help}): ${html.slice(0, 160)}`));
}

/** Resolves when components are drawn again and no colour is changing. */
async function atRest(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}
