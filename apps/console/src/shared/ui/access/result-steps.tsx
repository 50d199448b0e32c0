import type { ExplainStep, Explanation } from '@chargehand/contract';
import type { Level, LevelArea, LevelVerb } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { menuName } from '../../i18n/menu-name.ts';
import { useLevelName } from '../../i18n/use-level-name.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { useUser } from '../../session/use-user.ts';
import { type Glyph, StatusGlyph } from '../tags/status-glyph.tsx';
import { Tag, type Tone } from '../tags/tag.tsx';
import css from './access.module.css';

const RESULTS = {
  allowed: { tone: 'idle', glyph: 'check' },
  refused: { tone: 'faulted', glyph: 'cross' },
  depends: { tone: 'firmware-update', glyph: 'half' },
} as const satisfies Record<Explanation['result'], { tone: Tone; glyph: Glyph }>;

const STATES = { pass: 'check', fail: 'cross', open: 'half' } as const satisfies Record<ExplainStep['state'], Glyph>;

/** The result and its steps: the reason of each, and what to change where it failed. */
export function ResultSteps({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation('explain');
  const { result, code, message, steps } = explanation;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <Tag {...RESULTS[result]}>{t(`result.${result}`)}</Tag>{' '}
        {result === 'refused' && <span className="quiet">{t('why.answer', { code, message })}</span>}
      </p>
      <ol className={`row-list ${css.steps}`}>
        {steps.map((step) => (
          <li key={`${step.step} ${step.reason}`} data-state={step.state}>
            <StatusGlyph glyph={STATES[step.state]} />
            <div>
              <strong>{t(`step.${step.step}`)}</strong>
              <span className="visually-hidden">{` ${t(`state.${step.state}`)}: `}</span>
              <Sentence step={step} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Sentence({ step }: { step: ExplainStep }) {
  const { t } = useTranslation('explain');
  const { t: people } = useTranslation('people');
  const locale = useLocale();
  const levelName = useLevelName();
  const values = {
    row: step.names.join(' / '),
    menus: step.menus.map((menu) => menuName(menu, locale)).join(t('separator')),
    levels: step.levels
      .filter(({ needed, held }) => step.state === 'pass' || held > needed)
      .map(({ area, verb, needed, held }) =>
        t('levelOf', {
          area: people(`area.${area as LevelArea}`),
          verb: people(`verb.${verb as LevelVerb}`),
          needed: levelName(needed as Level),
          held: levelName(held as Level),
        }),
      )
      .join(t('levelSeparator')),
  };
  return (
    <>
      <p>{t(`reason.${step.reason}`, values)}</p>
      {step.state === 'fail' && <Change step={step} menus={values.menus} />}
    </>
  );
}

/** What to change so that the step would pass, with a link for users who may change it. */
function Change({ step, menus }: { step: ExplainStep; menus: string }) {
  const { t } = useTranslation('explain');
  const { user } = useUser();
  const vendor = user.root || user.platformVendor;
  const may = {
    roleMenus: usePermitted(['auth_role_authMenu']) && vendor,
    roleData: usePermitted(['auth_role_authData']) && vendor,
    assignment: usePermitted(['auth_user_authData']),
    user: usePermitted(['auth_user_detail']),
    customer: usePermitted(['auth_customer_detail']),
    menus: usePermitted(['auth_menu']) && vendor,
    application: usePermitted(['auth_application_edit']),
  };
  const text = CHANGES.find((reason) => reason === step.reason);
  const { fix } = step;
  return (
    <p className={css.change}>
      {text && t(`change.${text}`, { menus })}{' '}
      {fix && may[fix.place] && <Link to={pathOf(fix.place, fix.id)}>{t(`fix.${fix.place}`)}</Link>}
    </p>
  );
}

/** The reasons for which the console explains what to change. */
const CHANGES = [
  'userDisabled',
  'customerDisabled',
  'passwordGiven',
  'secondFactorDue',
  'privacyWaits',
  'menuMissing',
  'noMenu',
  'screenMissing',
  'readOnlyCustomer',
  'notVendor',
  'notRoot',
  'otherCustomer',
  'customerNotAssigned',
  'siteNotAssigned',
  'userNotOfSites',
  'wholeCustomerNeeded',
  'allCustomersNeeded',
  'levelMissing',
  'remoteMissing',
  'holdsMore',
  'applicationDisabled',
  'applicationExpired',
  'applicationUser',
  'addressRefused',
  'rateReached',
  'operationMissing',
  'noEvents',
] as const satisfies ExplainStep['reason'][];

function pathOf(place: NonNullable<ExplainStep['fix']>['place'], id: number | null): string {
  switch (place) {
    case 'roleMenus':
      return `/manage/role/auth/menu/${id}`;
    case 'roleData':
      return `/manage/role/auth/data/${id}`;
    case 'assignment':
      return `/manage/user/auth/${id}`;
    case 'user':
      return `/manage/user/detail/${id}`;
    case 'customer':
      return `/manage/customer/detail/${id}`;
    case 'menus':
      return '/manage/system/menu?tab=interfaces&show=none';
    case 'application':
      return `/manage/system/application/update/${id}`;
  }
}
