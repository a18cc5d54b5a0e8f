import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { classifyStatus, type ExpectedRefusal, findRefusal } from '../../kit/classify-answer.ts'
import { type Finding, held, inconclusive } from '../../kit/finding.ts'

/** Requests by what is wrong with them, to follow `A request with`: `no did`. */
export type WrongRequests = Readonly<Record<string, () => Promise<HttpAnswer>>>

export interface EachRefusal extends Omit<ExpectedRefusal, 'what'> {
  /** The same request with nothing wrong: where it is refused, nothing is shown. */
  readonly control?: () => Promise<HttpAnswer>
}

/**
 * Sends the control, then one wrong request after the other, until one of them is not refused as it has
 * to be.
 */
export async function findEachRefused(
  requests: WrongRequests,
  { control, ...expected }: EachRefusal,
): Promise<Finding> {
  const accepted = control && (await control())
  if (accepted && classifyStatus(accepted.status) !== 'accepted') {
    const told = `A request with nothing wrong was answered HTTP ${accepted.status}`
    return inconclusive(`${told}, so that a refusal of others shows nothing`)
  }
  if (accepted && !saysSomething(accepted)) {
    const told =
      'A request with nothing wrong was answered with none of the JSON that is documented'
    return inconclusive(`${told}, so that an acceptance of others shows nothing either`)
  }
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRefusal(await send(), { ...expected, what: `A request with ${wrong}` })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(`${all.length} were refused, those with: ${all.join('; ')}`)
}

/** A page that stands at every address, or an empty object, is no answer to what was asked. */
const saysSomething = ({ json }: HttpAnswer) =>
  typeof json === 'object' && json !== null && Object.keys(json).length > 0
