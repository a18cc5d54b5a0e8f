import { findFault } from '#wallet-emulator/faults/find-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import {
  broken,
  type Check,
  type CheckExpectation,
  type CheckLevel,
  defineChecks,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import type { Observation } from '../../targets/verdict-sources.ts'
import { requireDefect } from '../../world/defects/create-credential-with-defect.ts'
import type { PresentationOptions, VerifierContext } from './context.ts'

/** A presentation and what is to be said of it, in a sentence. */
export interface PresentationCase extends PresentationOptions {
  readonly what: string
  /** How much it weighs that it is accepted, where that is less than the check. */
  readonly level?: CheckLevel
}

/** The row of a table whose checks differ in their presentations alone. */
interface PresentationRow
  extends Pick<Check, 'title' | 'level' | 'rows' | 'clauses' | 'description'> {
  /** Each in a session of its own. */
  readonly presentations:
    | readonly PresentationCase[]
    | ((
        context: VerifierContext,
      ) => readonly PresentationCase[] | Promise<readonly PresentationCase[]>)
  /** What is said of the presentations; given where they are made for a target. */
  readonly sends?: string
  /** What else decides, in a sentence. */
  readonly remark?: string
  /** By default that of the table. */
  readonly expectation?: CheckExpectation
}

type Rows = Readonly<Record<`${string}-${string}`, PresentationRow>>

/** Checks none of whose presentations may be accepted. */
export const refusals = (rows: Rows) =>
  define(rows, {
    expectation: 'refuse',
    decides: 'No such presentation may be accepted.',
    find: findEachRefused,
  })

/** Checks all of whose presentations have to be accepted. */
export const acceptances = (rows: Rows) =>
  define(rows, {
    expectation: 'accept',
    decides: 'Such a presentation has to be accepted.',
    find: findEachAccepted,
  })

function define(
  rows: Rows,
  {
    expectation,
    decides,
    find,
  }: Pick<Check, 'expectation' | 'decides'> & { find: typeof findEachRefused },
) {
  return defineChecks<VerifierContext, PresentationRow>(
    rows,
    ({ presentations, remark, ...row }) => ({
      expectation,
      control: 'presentation',
      sends:
        typeof presentations === 'function' ? '' : presentations.map(({ what }) => what).join(' '),
      ...row,
      decides: remark === undefined ? decides : `${decides} ${remark}`,
      run: async (context) =>
        find(
          context,
          typeof presentations === 'function' ? await presentations(context) : presentations,
        ),
    }),
  )
}

/** The same, weighing less: no statement of the profile has verifiers refuse them. */
export const asPractice = (cases: readonly PresentationCase[]): PresentationCase[] =>
  cases.map((each) => ({ ...each, level: 'practice' }))

/** Presentations with a named deviation of the wallet each. */
export const withFaults = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const fault = findFault(name)
    if (!fault) throw new TypeError(`There is no wallet fault ${name}`)
    return { what: fault.description, faults: [fault] }
  })

/** Presentations of a credential with a named defect each. */
export const withDefects = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const defect = requireDefect(name)
    const { description } = defect
    const what = `The credential: ${description.charAt(0).toLowerCase()}${description.slice(1)}`
    return { what, defect }
  })

/** A presentation with a deviation that has no name elsewhere. */
export function withChange(what: string, apply: WalletFault['apply']): PresentationCase {
  const expected = { at: 'nowhere', because: '' } as const
  const fault = { name: 'deviation', description: what, check: '', rule: '', expected, apply }
  return { what, faults: [fault] }
}

/** A presentation of a credential with a defect that has no name elsewhere. */
export const withDefect = (
  what: string,
  defect: Pick<NonNullable<PresentationOptions['defect']>, 'change' | 'sign'>,
): PresentationCase => ({ what, defect: { name: 'defect', description: what, ...defect } })

/** Presents in a session of its own and waits for the verdict. */
export async function presentOnce(
  { openRequest, present, observe }: VerifierContext,
  presentation: PresentationCase,
): Promise<Observation> {
  const opened = await openRequest()
  return observe(opened, await present(opened, presentation))
}

/** None of these presentations may be accepted, each in a session of its own. */
export async function findEachRefused(
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

/**
 * None of these presentations may be accepted; that they are refused is not demanded, so that a
 * session which stays open is as good. Their source of a verdict has to show acceptances.
 */
export async function findNoneAccepted(
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

/** Each of these presentations has to be accepted, in a session of its own. */
async function findEachAccepted(
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

/** Each of these posts has to be answered with 200; overload, outage and no answer decide nothing. */
export async function findEachAnswered(
  { openRequest, present }: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> {
  const verdictSource = 'HTTP status of the response endpoint'
  for (const each of cases) {
    const { status, reason } = await present(await openRequest(), each)
    if (status === 200) continue
    const kind = status === 0 ? 'timed-out' : classifyStatus(status)
    if (kind !== 'accepted' && kind !== 'refused') {
      return inconclusive(`${each.what} ${reason}`, { verdictSource })
    }
    return broken(`${each.what} It was answered with ${status}, and not with 200.`, {
      verdictSource,
      expected: 200,
      actual: status,
    })
  }
  const told = cases.map(({ what }) => what).join(' ')
  return held(`Each was answered with 200: ${told}`, { verdictSource })
}

/** What was accepted that had to be refused. */
export const findAcceptance = (what: string, { source, reason }: Observation): Finding =>
  wronglyAccepted(`${what} It was accepted all the same. ${reason}`, {
    verdictSource: source,
    expected: 'refused',
    actual: 'accepted',
  })

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
