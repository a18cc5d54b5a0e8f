import { element } from './element.js'

function showRule({ rule, statement, path, passed, reasons = [], fix, notes = [], paragraph }) {
  const sign = element('span', {
    class: 'sign',
    role: 'img',
    'aria-label': passed ? 'holds' : 'broken',
  })
  return element(
    'li',
    { class: passed ? 'passed' : 'failed' },
    sign,
    element(
      'div',
      {},
      statement === undefined ? undefined : [statement, ' '],
      element('code', {}, path === undefined ? rule : `${rule} at ${path}`),
      reasons.map((reason) => element('p', { class: 'reason' }, reason)),
      fix === undefined
        ? undefined
        : element('p', { class: 'fix' }, element('b', {}, 'Fix: '), fix),
      notes.map((note) => element('p', { class: 'faint' }, note)),
      paragraph === undefined ? undefined : element('p', { class: 'faint' }, `See ${paragraph}`),
    ),
  )
}

/**
 * The rejections of a scenario and their reasons: the broken rules of each exchange, with a link to
 * it.
 */
export function showBrokenRules(groups, lookUp, hrefOf) {
  const refused = groups.filter(({ isBroken }) => isBroken)
  if (refused.length === 0) return []
  const broken = ({ hops }) =>
    [...new Set(hops.map(({ rules }) => rules))]
      .flatMap((rules) => (rules === undefined ? [] : lookUp(rules)))
      .filter(({ passed }) => !passed)
  return [
    element('h3', {}, 'Refused'),
    ...refused.map((group) =>
      element(
        'section',
        { class: 'refusal' },
        element(
          'p',
          {},
          element('a', { href: hrefOf(group) }, `Exchange ${group.number}`),
          `, ${group.hops[0].from} → ${group.hops[0].to}`,
        ),
        element('ul', { class: 'rules' }, broken(group).map(showRule)),
      ),
    ),
  ]
}

/** Summarizes the rules: `43 rules passed`, `2 of 43 rules broken`. */
export function countRules(rules) {
  const broken = rules.filter(({ passed }) => !passed).length
  const noun = rules.length === 1 ? 'rule' : 'rules'
  if (broken > 0) return `${broken} of ${rules.length} ${noun} broken`
  return rules.length === 1 ? '1 rule passed' : `${rules.length} rules passed`
}

/** The rules that the answering part evaluated on the request: broken ones first, open. */
export function showRules(rules, judge) {
  const broken = rules.filter(({ passed }) => !passed)
  const holding = rules.filter(({ passed }) => passed)
  const list = (these) => element('ul', { class: 'rules' }, these.map(showRule))
  return element(
    'section',
    { class: 'evaluated', 'aria-label': 'Rules' },
    element('h4', {}, `Checked by ${judge}: ${countRules(rules)}`),
    broken.length > 0 ? list(broken) : undefined,
    holding.length > 0
      ? element(
          'details',
          {},
          element(
            'summary',
            {},
            broken.length > 0 ? `The ${holding.length} that passed` : 'Show the rules',
          ),
          list(holding),
        )
      : undefined,
  )
}
