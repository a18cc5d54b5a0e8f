import { element } from './element.js'
import { partName, say, words } from './words.js'

/** A report has the address of the profile's pages; a page of the console, the href of each rule. */
const profile = document.querySelector('main')?.dataset.profile
const findPage = (paragraph) =>
  profile &&
  paragraph?.replace(/^docs\/profile\/([\w-]+)\.md/, (_path, page) =>
    profile.replace('{page}', page),
  )

/** Rule, expected, found, how to fix it, and the paragraph: a link if the page can reach it. */
function describeBroken({
  rule,
  statement,
  path,
  reasons = [],
  fix,
  paragraph,
  href = findPage(paragraph),
}) {
  const row = (term, description, attributes = { lang: 'en' }) =>
    description === undefined
      ? []
      : [element('dt', {}, term), element('dd', attributes, description)]
  const shown = paragraph?.replace(/^docs\/profile\//, '')
  return element(
    'dl',
    {},
    row(words.rule, element('code', {}, placeOf(rule, path)), {}),
    row(words.expected, statement),
    reasons.length === 0
      ? []
      : row(
          words.found,
          reasons.map((reason) => element('p', { class: 'reason' }, reason)),
        ),
    row(words.fix, fix, { class: 'fix', lang: 'en' }),
    row(words.paragraph, href ? element('a', { href }, shown) : shown, {}),
  )
}

const placeOf = (rule, path) => (path === undefined ? rule : say(words.place, { rule, path }))

function describePassed({ rule, statement, path }) {
  return [
    statement === undefined ? undefined : [element('span', { lang: 'en' }, statement), ' '],
    element('code', {}, placeOf(rule, path)),
  ]
}

function showRule(evaluated) {
  const { passed, notes = [] } = evaluated
  const sign = element('span', {
    class: 'sign',
    role: 'img',
    'aria-label': passed ? words.passes : words.breaks,
  })
  return element(
    'li',
    { class: passed ? 'passed' : 'failed' },
    sign,
    element(
      'div',
      {},
      passed ? describePassed(evaluated) : describeBroken(evaluated),
      notes.map((note) => element('p', { class: 'faint', lang: 'en' }, note)),
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
    element('h3', {}, 'Rejected'),
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
  const count = rules.length
  const one = broken > 0 ? words.oneRuleBroken : words.oneRulePassed
  const several = broken > 0 ? words.someRulesBroken : words.rulesPassed
  return say(count === 1 ? one : several, { broken, count })
}

/** The rules that the answering part evaluated on the request: broken ones first, open. */
export function showRules(rules, judge) {
  const broken = rules.filter(({ passed }) => !passed)
  const holding = rules.filter(({ passed }) => passed)
  const list = (these) => element('ul', { class: 'rules' }, these.map(showRule))
  return element(
    'section',
    { class: 'evaluated', 'aria-label': words.rules },
    element('h4', {}, say(words.checkedBy, { judge: partName(judge), summary: countRules(rules) })),
    broken.length > 0 ? list(broken) : undefined,
    holding.length > 0
      ? element(
          'details',
          {},
          element(
            'summary',
            {},
            broken.length > 0
              ? say(words.passingRules, { count: holding.length })
              : words.showRules,
          ),
          list(holding),
        )
      : undefined,
  )
}
