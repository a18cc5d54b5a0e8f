import { z } from 'zod'
import { zPersonQuestion, zPersonReply } from './z-person-question.ts'
import { createResultDetail, type DetailedResult, zResultDetail } from './z-result-detail.ts'

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
