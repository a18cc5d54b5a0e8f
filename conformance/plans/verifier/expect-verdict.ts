import { broken, type Finding, held, inconclusive, wronglyAccepted } from '../../kit/finding.ts'
import type { Observation } from '../../targets/verdict-sources/verdict-source.ts'
import type { VerifierContext } from './context.ts'
import type { PresentationCase } from './presentation-case.ts'

/** Presents in a session of its own and waits for the verdict. */
export async function presentOnce(
  { openRequest, present, observe }: VerifierContext,
  presentation: PresentationCase,
): Promise<Observation> {
  const opened = await openRequest()
  return observe(opened, await present(opened, presentation))
}

/** None of these presentations may be accepted, each in a session of its own. */
export async function expectRefused(
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> {
  const seen: Observation[] = []
  let undecided: Finding | undefined
  for (const each of cases) {
    const observation = await presentOnce(context, each)
    const { verdict, source, reason } = observation
    if (verdict === 'accepted') {
      const { level } = each
      return { ...findAcceptance(each.what, observation), ...(level && { level }) }
    }
    if (verdict === 'undecided') {
      const details = { verdictSource: source }
      undecided ??= inconclusive(`${each.what} It was not decided: ${reason}`, details)
    }
    seen.push(observation)
  }
  if (undecided) return undecided
  return held(cases.map(({ what }, index) => `${what} Refused: ${seen[index]?.reason}`).join(' '), {
    verdictSource: seen.at(-1)?.source ?? '',
  })
}

/** What was accepted that had to be refused. */
export const findAcceptance = (what: string, { source, reason }: Observation): Finding =>
  wronglyAccepted(`${what} It was accepted all the same. ${reason}`, {
    verdictSource: source,
    expected: 'refused',
    actual: 'accepted',
  })

/** Each of these presentations has to be accepted, in a session of its own. */
export async function expectAccepted(
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> {
  let last: Observation | undefined
  for (const each of cases) {
    last = await presentOnce(context, each)
    const finding = findNotAccepted(each.what, last)
    if (finding) return finding
  }
  const reason = cases.map(({ what }) => what).join(' ')
  return held(`Accepted: ${reason}`, last ? { verdictSource: last.source } : {})
}

/** What there is to say where something was not accepted that had to be. */
export function findNotAccepted(
  what: string,
  { verdict, source, reason }: Observation,
): Finding | undefined {
  if (verdict === 'accepted') return undefined
  if (verdict === 'undecided') {
    return inconclusive(`${what} It was not decided: ${reason}`, { verdictSource: source })
  }
  return broken(`${what} It was refused. ${reason}`, {
    verdictSource: source,
    expected: 'accepted',
    actual: 'refused',
  })
}

/**
 * None of these presentations may be accepted; that they are refused is not demanded, so that a
 * session which stays open is as good. Their source of a verdict has to show acceptances.
 */
export async function expectNotAccepted(
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> {
  const told: string[] = []
  let verdictSource = ''
  for (const each of cases) {
    const observation = await presentOnce(context, each)
    if (observation.verdict === 'accepted') return findAcceptance(each.what, observation)
    told.push(`${each.what} Not accepted: ${observation.reason}`)
    verdictSource = observation.source
  }
  return held(told.join(' '), { verdictSource })
}
