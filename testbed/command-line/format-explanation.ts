import type { ExplainedRule, Explanation, RuleVerdict } from '#core/explanation/explanation.ts'
import { placeOfParagraph } from '#scenarios/harness/command-line.ts'
import { createPaint, plainText, type Style, wrapText } from './terminal.ts'

export interface FormatExplanationOptions {
  /** Characters per line. */
  readonly width: number
  /** Colours are omitted if the stream is not a terminal or NO_COLOR is set. */
  readonly stream: NodeJS.WriteStream
}

const signs = { held: '✓', broken: '✗', 'not-checked': '?' } as const

const colors = { held: 'green', broken: 'red', 'not-checked': 'cyan' } as const

const words = { held: 'passed', broken: 'broken', 'not-checked': 'not checked' } as const

const verdictColors = {
  holds: 'green',
  broken: 'red',
  'not-checked': 'cyan',
  unrecognised: 'red',
} as const

/**
 * Formats an explanation for people: what the message is, its content, then every rule with its
 * verdict.
 */
export function formatExplanation(
  explanation: Explanation,
  { width, stream }: FormatExplanationOptions,
): string {
  const paint = createPaint(stream)

  /** The first line begins with `lead`, further lines with as many spaces. */
  const wrapped = (lead: string, text: string, style?: Style) => {
    const lines = wrapText(plainText(text), Math.max(width - lead.length, 20))
    return lines.map((line, index) => {
      const painted = style === undefined ? line : paint(style, line)
      return `${index === 0 ? lead : ' '.repeat(lead.length)}${painted}`
    })
  }

  // Many rules need the same input to be checked: it is printed once.
  const said = new Set<string>()
  const describeAdvice = ({ verdict, advice }: ExplainedRule): string[] => {
    if (advice === undefined) return []
    if (verdict === 'broken') return wrapped('      Fix: ', advice)
    if (said.has(advice)) return []
    said.add(advice)
    return wrapped('      → ', advice)
  }

  const describeRule = (rule: ExplainedRule, column: number): string[] => {
    const { verdict, statement, findings, notes, paragraph } = rule
    const lead = `  ${signs[verdict]} ${rule.rule.padEnd(column)}  `
    const [first = '', ...rest] = wrapped(lead, statement, verdict === 'held' ? 'dim' : undefined)
    const sign = paint(colors[verdict], signs[verdict])
    return [
      `  ${sign}${first.slice(3)}`,
      ...rest,
      ...findings.flatMap(({ path, reason, got }) => [
        ...wrapped('      ', path === '' ? reason : `${path}: ${reason}`, colors[verdict]),
        ...(got === undefined ? [] : wrapped('      found ', JSON.stringify(got))),
      ]),
      ...notes.flatMap((note) => wrapped('      note: ', note)),
      ...describeAdvice(rule),
      ...(verdict === 'broken' && paragraph !== undefined
        ? [`      see ${placeOfParagraph(paragraph)}`]
        : []),
    ]
  }

  const describeDialect = ({ dialect }: Explanation): string[] => {
    if (dialect === undefined || dialect.members.length === 0) return []
    const { members, departures } = dialect
    const own = members.filter(({ path }) => !departures.some((other) => other.path === path))
    return [
      '',
      paint('underline', 'dialect'),
      ...own.flatMap(({ path, follows }) => wrapped('  · ', `${path}: ${follows}`, 'dim')),
      ...departures.flatMap(({ path, found, follows, documents, clause }) => [
        ...wrapped('  ≠ ', `${path} (${found}): ${follows}`, 'yellow'),
        ...wrapped('      ', `The profile: ${documents} (${clause}).`),
      ]),
    ]
  }

  const describe = (part: Explanation): string[] => {
    const { title, recognisedBy, verdict, facts, rules, notes, parts } = part
    const counts = countVerdicts(part)
    const counted = (['held', 'broken', 'not-checked'] as const)
      .filter((name) => counts[name] > 0)
      .map((name) => paint(colors[name], `${counts[name]} ${words[name]}`))
    const label = Math.max(0, ...facts.map((fact) => fact.label.length)) + 4
    return [
      `${paint(['bold', verdictColors[verdict]], capitalize(title))}: ${counted.join(', ')}`,
      ...(counts.broken === 0 ? [] : wrapped('  Broken: ', namesOfBroken(part).join(', '), 'red')),
      ...wrapped('  ', `Recognized as ${recognisedBy}.`, 'dim'),
      ...(facts.length === 0 ? [] : ['']),
      ...facts.flatMap((fact) => wrapped(`  ${fact.label}`.padEnd(label), fact.value)),
      ...notes.flatMap((note) => ['', ...wrapped('  ', note)]),
      ...groupRules(rules).flatMap(([name, group]) => [
        '',
        paint('underline', name),
        ...group.flatMap((rule) => describeRule(rule, columnOf(group))),
      ]),
      ...describeDialect(part),
      ...parts.flatMap((inner) => ['', ...describe(inner)]),
    ]
  }

  return explanation.verdict === 'unrecognised'
    ? [
        'This is not a known message. These kinds were tried:',
        ...[...Map.groupBy(explanation.lookedFor, ({ reason }) => reason)].flatMap(
          ([reason, kinds]) => [
            ...wrapped('  ', kinds.map(({ kind }) => kind).join(', '), 'bold'),
            ...wrapped('      ', reason),
          ],
        ),
      ].join('\n')
    : describe(explanation).join('\n')
}

const namesOfBroken = ({ rules }: Explanation) =>
  rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)

/**
 * How many rules of a message pass, are broken, or could not be checked, without the rules of its
 * parts.
 */
function countVerdicts({ rules }: Explanation): Record<RuleVerdict, number> {
  const count = (wanted: RuleVerdict) => rules.filter(({ verdict }) => verdict === wanted).length
  return { held: count('held'), broken: count('broken'), 'not-checked': count('not-checked') }
}

/** Rules of one family and place, in the order in which they were evaluated. */
function groupRules(rules: readonly ExplainedRule[]): [string, ExplainedRule[]][] {
  const groups = new Map<string, ExplainedRule[]>()
  for (const rule of rules) {
    const hop = /^hops\[(\d+)\]/.exec(rule.path ?? '')?.[1]
    const family = rule.rule.split('.')[0] ?? ''
    const name = `${family}${rule.path === 'given' ? ', as received' : placeName(family, hop)}`
    groups.set(name, [...(groups.get(name) ?? []), rule])
  }
  return [...groups]
}

function columnOf(rules: readonly ExplainedRule[]): number {
  return Math.max(...rules.map(({ rule }) => rule.length))
}

function placeName(family: string, hop: string | undefined): string {
  if (hop === undefined) return family === 'trust' ? ', the whole chain' : ''
  return hop === '0' ? ', the accreditation' : `, the accreditation ${hop} up`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
