import { randomInt } from 'node:crypto'
import { type CheckBase, endCheck, type Finding, held } from './check.ts'
import { requireFinding } from './classify-answer.ts'

/**
 * The cases that a check sends now: all of them, or a few at random when it is repeated, since those
 * of a long table are alike.
 * @param repeated how many are sent again
 */
export function dueCases<Case>(
  { isRepetition }: Pick<CheckBase, 'isRepetition'>,
  all: readonly Case[],
  repeated = 3,
): readonly Case[] {
  if (!isRepetition || all.length <= repeated) return all
  const left = [...all]
  return Array.from({ length: repeated }).flatMap(() => left.splice(randomInt(left.length), 1))
}

/** Merges several findings that held into one. */
export function allHeld(findings: readonly Finding[]): Finding {
  const verdictSource = findings.find((finding) => finding.verdictSource)?.verdictSource
  const reason = findings.map((finding) => finding.reason.replace(/\.?$/, '.')).join(' ')
  return held(reason, verdictSource === undefined ? {} : { verdictSource })
}

/**
 * Examines every case, so that one run shows all that fail: the finding is the worst one, and
 * `also` has the others. It ends early if a case could not be tried, because the system does not
 * respond or something that the case depends on failed, or if the cases after a failure take long.
 * @param atOnce how many cases are examined at the same time
 */
export async function findEach<Case>(
  cases: Iterable<Case>,
  find: (each: Case) => Promise<Finding>,
  atOnce = 1,
): Promise<Finding> {
  const examine = async (each: Case) => {
    try {
      const finding = await find(each)
      return { finding, isEnd: finding.isBlocked }
    } catch (error) {
      const finding = requireFinding(error)
      return { finding, isEnd: finding.kind === 'inconclusive' }
    }
  }
  const left = [...cases]
  const findings: Finding[] = []
  const hasTime = createClock()
  let isEnd = false
  while (left.length > 0 && !isEnd && hasTime(findings)) {
    const examined = await Promise.all(left.splice(0, atOnce).map(examine))
    findings.push(...examined.map(({ finding }) => finding))
    isEnd = examined.some((each) => each.isEnd)
  }
  return worstOf(findings)
}

/**
 * Examines every case like {@link findEach}, and ends the check unless all of them held: for a check
 * that continues after them.
 * @param find may also throw what is wrong with a case
 */
export async function requireEach<Case>(
  cases: Iterable<Case>,
  find: (each: Case) => Promise<Finding | undefined> | Promise<void>,
  atOnce = 1,
): Promise<void> {
  const finding = await findEach(cases, async (each) => (await find(each)) ?? held(''), atOnce)
  if (finding.kind !== 'held') endCheck(finding)
}

/**
 * Milliseconds for all cases if one of them failed. The verdict is known: it must not miss the time
 * limit of the check, nor remain without a second attempt.
 */
const timeToShowMore = 10_000

/** Milliseconds for all cases if one of them has no verdict: another one may have one. */
const timeToDecide = 40_000

/** Whether there is time for another case, which may take as long as the slowest one. */
function createClock(): (findings: readonly Finding[]) => boolean {
  const began = performance.now()
  let last = began
  let slowest = 0
  return (findings) => {
    const now = performance.now()
    slowest = Math.max(slowest, now - last)
    last = now
    const kinds = findings.map(({ kind }) => kind)
    const time = kinds.includes('broken') ? timeToShowMore : timeToDecide
    return kinds.every((kind) => kind === 'held') || now - began + slowest < time
  }
}

const levels = ['spec', 'final', 'practice'] as const

/** A lower number is worse. An acceptance ranks first in its level: it needs no control. */
const rankOf = ({ kind, level = 'spec', isAcceptance, isOutage }: Finding): number =>
  kind === 'broken'
    ? 2 * levels.indexOf(level) + (isAcceptance ? 0 : 1)
    : 2 * levels.length + (isOutage ? 0 : 1)

/** The worst finding, with the other failures in `also`; one finding with all reasons if all held. */
export function worstOf(findings: readonly Finding[]): Finding {
  const [worst, ...others] = findings
    .filter(({ kind }) => kind !== 'held')
    .sort((one, other) => rankOf(one) - rankOf(other))
  if (worst === undefined) return allHeld(findings)
  // Only a repeated server error counts, and only the worst finding is repeated.
  const failures = others.filter(
    ({ kind, isOutage }) => kind === 'broken' || (isOutage && worst.isOutage),
  )
  const all = [...(worst.also ?? []), ...failures.flatMap((each) => [each, ...(each.also ?? [])])]
  const said = new Set([worst.reason])
  const also = all.filter(({ reason }) => !said.has(reason) && said.add(reason))
  return also.length === 0 ? worst : { ...worst, also }
}
