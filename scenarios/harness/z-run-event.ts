import { z } from 'zod'
import { paragraphOf, textOf } from '#core/profile/paragraph.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { statements } from '#core/profile/statements.ts'
import { describeFailure } from '#scenarios/reports/describe-failure.ts'
import { slugOf } from '#scenarios/reports/formatting.ts'
import { zPersonQuestion, zPersonReply } from './z-person-question.ts'
import type { ScenarioResult } from './z-results.ts'

/** A statement of the profile, or a rule that a service evaluated. */
const zRule = z.object({
  name: z.string(),
  text: z.string().optional(),
  /** Why the rule is broken. */
  reasons: z.array(z.string()).readonly().optional(),
  /** `docs/profile/PAGE.md#ID` */
  paragraph: z.string().optional(),
})

/** What a result requires and what was found instead, bounded. */
const zResultDetail = z.object({
  /** The id of its element in the report. */
  anchor: z.string(),
  /** Title of the step that failed. */
  step: z.string().optional(),
  /** What a passing system does, as a sentence. */
  expected: z.string(),
  /** Expected against found, line by line. */
  difference: z.array(z.object({ kind: z.enum(['expected', 'found', 'both']), text: z.string() })),
  rules: z.array(zRule),
  /** Clauses of standards, with their titles. */
  clauses: z.array(z.string()),
})

export type ResultDetail = z.infer<typeof zResultDetail>
type Rule = z.infer<typeof zRule>

/** A result of which the exchanges may not be known yet. */
type DetailedResult = Omit<ScenarioResult, 'hops'> & Partial<Pick<ScenarioResult, 'hops'>>

const mostLines = 200
const longestLine = 500
const mostRules = 20

const statementRule = (id: string): Rule => ({
  name: id,
  text: textOf(id),
  paragraph: paragraphOf(id),
})

/** The statement of an id; for a section, the place of its first statement. */
function ruleOfSection(section: string): Rule[] {
  if (statements.has(section)) return [statementRule(section)]
  const first = `${section}.1`
  return statements.has(first) ? [{ name: section, paragraph: paragraphOf(first) }] : []
}

/** The rules that a service rejected in the failed step: earlier rejections were intended. */
function brokenRules({ steps, hops = [] }: DetailedResult): Rule[] {
  const failedStep = steps.findIndex(({ verdict }) => verdict === 'failed') + 1
  if (failedStep === 0) return []
  const broken = hops
    .filter(({ step }) => step === failedStep)
    .flatMap(({ rules = [] }) => rules.filter(({ passed }) => !passed))
  const byName = new Map(broken.map((each) => [each.rule, each]))
  return [...byName.values()].map(({ rule, statement, reasons }) => {
    const paragraph = paragraphOfRule(rule)
    return {
      name: rule,
      ...(statement !== undefined && { text: statement }),
      ...(reasons && { reasons }),
      ...(paragraph !== undefined && { paragraph }),
    }
  })
}

const citedRules = ({ references }: DetailedResult): Rule[] =>
  references
    .filter(({ document }) => document === 'Profile')
    .flatMap(({ section }) => section.split(', ').flatMap(ruleOfSection))

/** Describes a result that did not pass: expected, found, the broken rules and their paragraphs. */
export function createResultDetail(result: DetailedResult): ResultDetail {
  const { check, failure } = result
  const lines = (failure && describeFailure(failure)) ?? []
  const rules = check
    ? check.rules.map(({ id, text, paragraph }) => ({
        name: id,
        text,
        ...(paragraph !== undefined && { paragraph }),
      }))
    : [...brokenRules(result), ...citedRules(result)]
  return {
    anchor: slugOf(result.id),
    ...(failure?.step !== undefined && { step: failure.step }),
    expected: check?.decides ?? result.title,
    difference: lines
      .slice(0, mostLines)
      .map(({ kind, text }) => ({ kind, text: text.slice(0, longestLine) })),
    rules: rules.slice(0, mostRules),
    clauses: check?.clauses ?? [],
  }
}

const zEnded = z.object({
  kind: z.literal('ended'),
  id: z.string(),
  title: z.string(),
  verdict: z.enum(['passed', 'failed', 'warned', 'inconclusive', 'interrupted', 'not-run']),
  durationMilliseconds: z.number(),
  /** What was found, or why it failed or was skipped. */
  reason: z.string().optional(),
  /** What to change in a system that fails a check. */
  fix: z.string().optional(),
  /** Of a result that did not pass. */
  detail: zResultDetail.optional(),
})

/** A line of `--progress json`: what a run does, in the order in which it happens. */
export const zRunEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('total'), total: z.int() }),
  z.object({ kind: z.literal('began'), id: z.string() }),
  z.object({ kind: z.literal('step'), id: z.string(), title: z.string() }),
  zEnded,
  /** Something for the person who watches, such as the address of the page with the QR codes. */
  z.object({ kind: z.literal('said'), text: z.string() }),
  /** Something to ask a person; null withdraws the question before. */
  z.object({ kind: z.literal('question'), id: z.int(), question: zPersonQuestion.nullable() }),
])

export type RunEvent = z.infer<typeof zRunEvent>

/** A line that answers a question. */
export const zRunAnswer = z.object({ id: z.int(), reply: zPersonReply })

const longestReason = 2000

/** A result as an event: without exchanges, steps and attachments. */
export function createEndedEvent(result: DetailedResult): RunEvent {
  const { check, failure, skipReason, verdict } = result
  const { id, title, durationMilliseconds } = result
  const reason = check?.reason ?? skipReason ?? failure?.message
  const isFixable = verdict === 'failed' || verdict === 'warned'
  const isExplained = isFixable || verdict === 'inconclusive'
  return {
    kind: 'ended',
    id: check?.id ?? id,
    title,
    verdict,
    durationMilliseconds,
    ...(reason !== undefined && { reason: reason.slice(0, longestReason) }),
    ...(isFixable && check?.fix !== undefined && { fix: check.fix }),
    ...(isExplained && { detail: createResultDetail(result) }),
  }
}
