import type { AuthorizationRequestParameters } from '#core/oid4vp/authorization-request.ts'
import { startInLowerCase } from '#core/text/start-in-lower-case.ts'
import { changeCall } from '#wallet-emulator/faults/change-call.ts'
import { findFault } from '#wallet-emulator/faults/find-faults.ts'
import type { Form, WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import {
  broken,
  type Check,
  type CheckExpectation,
  type CheckLevel,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../kit/check.ts'
import { classifyStatus } from '../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../kit/find-each.ts'
import type { Observation } from '../../targets/verdict-sources.ts'
import { requireDefect } from '../../world/defects/create-credential-with-defect.ts'
import { publishStatusList } from '../../world/publish-status-list.ts'
import type { PresentationOptions, VerifierContext } from './context.ts'

/** A presentation and its description in one sentence. */
export interface PresentationCase extends PresentationOptions {
  readonly what: string
  /** A deviation with values of the request; it replaces `faults`. */
  readonly deviate?: (request: AuthorizationRequestParameters) => WalletFault['apply']
  /** The level of a wrong acceptance, if it is lower than that of the check. */
  readonly level?: CheckLevel
  /** What to change if the verdict is wrong, if that is not the fix of the check. */
  readonly fix?: string | undefined
}

/** A row of a table of checks that differ only in their presentations. */
interface PresentationRow
  extends Pick<Check, 'title' | 'level' | 'rows' | 'clauses' | 'description' | 'fix'> {
  /** Each one is sent in a separate session. */
  readonly presentations:
    | readonly PresentationCase[]
    | ((
        context: VerifierContext,
      ) => readonly PresentationCase[] | Promise<readonly PresentationCase[]>)
  /** Describes the presentations, if they are created for each target. */
  readonly sends?: string
  /** Added to `decides`, as a sentence. */
  readonly remark?: string
  /** By default the expectation of the table. */
  readonly expectation?: CheckExpectation
}

type Rows = Readonly<Record<`${string}-${string}`, PresentationRow>>

/** Defines checks whose presentations must all be rejected. */
export const refusals = (rows: Rows) =>
  define(rows, {
    expectation: 'refuse',
    decides: 'The verifier must reject each presentation.',
    find: findEachRefused,
  })

/**
 * Defines checks whose presentations none may be accepted: messages that a verifier may ignore,
 * because they are not a presentation to the session.
 */
export const nonAcceptances = (rows: Rows) =>
  define(rows, {
    expectation: 'refuse',
    decides: 'None may be accepted. A session that stays open counts as a rejection.',
    find: findNoneAccepted,
  })

/** Defines checks whose presentations must all be accepted. */
export const acceptances = (rows: Rows) =>
  define(rows, {
    expectation: 'accept',
    decides: 'The verifier must accept each presentation.',
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
      deviations: typeof presentations === 'function' ? [] : presentations.flatMap(namesIn),
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

/** The defect of the credential and the faults of the wallet, by name. */
const namesIn = ({ defect, faults = [] }: PresentationCase) =>
  [...(defect ? [defect] : []), ...faults].map(({ name }) => name)

/** The same cases at level `practice`: the profile does not require verifiers to reject them. */
export const asPractice = (cases: readonly PresentationCase[]): PresentationCase[] =>
  cases.map((each) => ({ ...each, level: 'practice' }))

/** Returns one presentation for each named wallet fault. */
export const withFaults = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const fault = findFault(name)
    if (!fault) throw new TypeError(`There is no wallet fault ${name}`)
    return { what: fault.description, faults: [fault] }
  })

/** Returns one presentation for each named defect of the credential. */
export const withDefects = (...names: readonly string[]): PresentationCase[] =>
  names.map((name) => {
    const defect = requireDefect(name)
    // A description begins so if a credential is valid in spite of it.
    const description = defect.description.replace(/^Valid: /, '')
    return { what: about('The credential', description), defect }
  })

/** A sentence that does not name its subject, with the subject before it. */
export const about = (subject: string, sentence: string): string =>
  `${subject}: ${startInLowerCase(sentence)}`

/** Returns a presentation with a deviation that only one check needs. */
export function withChange(what: string, apply: WalletFault['apply']): PresentationCase {
  const expected = { at: 'nowhere', because: '' } as const
  const fault = { name: 'deviation', description: what, check: '', rule: '', expected, apply }
  return { what, faults: [fault] }
}

/** Returns a presentation whose form begins with one more field, or ends with it. */
export function withField(what: string, field: Form, place: 'first' | 'last'): PresentationCase {
  const added = String(new URLSearchParams(field))
  const presentationCall = changeCall(['body'], (call) => ({
    ...call,
    body: (place === 'first' ? [added, call.body] : [call.body, added]).join('&'),
  }))
  return withChange(what, { presentationCall })
}

/** Returns a presentation of a credential with a defect that only one check needs. */
export const withDefect = (
  what: string,
  defect: Pick<NonNullable<PresentationOptions['defect']>, 'change' | 'sign' | 'afterwards'>,
): PresentationCase => ({ what, defect: { name: 'defect', description: what, ...defect } })

/** Returns a presentation of a credential with this status. `what` describes the status. */
export const withStatus = (what: string, credentialStatus: unknown): PresentationCase =>
  withDefect(about('The status of the credential', what), {
    change: () => ({ vc: { credentialStatus } }),
  })

/** Presents in a new session and waits for the verdict. */
export async function presentOnce(
  { openRequest, present, observe }: VerifierContext,
  presentation: PresentationCase,
): Promise<Observation> {
  const opened = await openRequest()
  const { what, deviate } = presentation
  const deviation = deviate && withChange(what, deviate(opened.parameters))
  return observe(opened, await present(opened, { ...presentation, ...deviation }))
}

/** Presents each case in a separate session, two at a time if the target permits. */
const findEachPresented = (
  context: VerifierContext,
  cases: readonly PresentationCase[],
  judge: (each: PresentationCase, observation: Observation) => Finding,
): Promise<Finding> =>
  findEach(
    cases,
    async (each) => {
      const finding = judge(each, await presentOnce(context, each))
      const isOwn = finding.kind === 'broken' && each.fix !== undefined
      return isOwn ? { ...finding, fix: each.fix } : finding
    },
    context.observesSeveral ? 2 : 1,
  )

/** Checks that each presentation is rejected in a separate session. */
export const findEachRefused = (
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> =>
  findEachPresented(context, dueCases(context, cases), (each, observation) => {
    const { verdict, source: verdictSource, reason, isOutage } = observation
    if (verdict === 'accepted') return findAcceptanceOf(each, observation)
    const details = { verdictSource, ...(isOutage && { isOutage }) }
    return verdict === 'undecided'
      ? inconclusive(`${each.what} The verdict is unknown: ${reason}`, details)
      : held(`${each.what} Rejected: ${reason}`, { verdictSource })
  })

/**
 * Ends the check as inconclusive if the verifier does not read status lists, which the profile
 * does not define: V43 reports that.
 */
export async function requireStatusRead(context: VerifierContext): Promise<void> {
  const credentialStatus = publishStatusList(context.trust.world, { revoked: [7] })
  const revoked = withDefect('A revoked credential.', {
    change: () => ({ vc: { credentialStatus } }),
  })
  const { verdict, reason } = await presentOnce(context, revoked)
  if (verdict === 'refused') return
  endCheck(inconclusive(`The verifier did not reject a revoked credential; see V43. ${reason}`))
}

/**
 * Checks that none of these presentations is accepted. A rejection is not required: a session may
 * stay open. The source of the verdict must show acceptances.
 */
export const findNoneAccepted = (
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> =>
  findEachPresented(context, dueCases(context, cases), (each, observation) =>
    observation.verdict === 'accepted'
      ? findAcceptanceOf(each, observation)
      : notAccepted(each.what, observation),
  )

/**
 * The finding about an invalid presentation that was not accepted. HTTP 500 is not a rejection, and
 * neither is a missing response.
 */
export function notAccepted(
  what: string,
  { source, reason, isOutage, isUnanswered }: Observation,
): Finding {
  const details = { verdictSource: source, ...(isOutage && { isOutage }) }
  return isOutage || isUnanswered
    ? inconclusive(`${what} The verdict is unknown: ${reason}`, details)
    : held(`${what} Not accepted: ${reason}`, details)
}

/** Checks that each presentation is accepted in a separate session. */
const findEachAccepted = (
  context: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> =>
  findEachPresented(
    context,
    cases,
    ({ what }, observation) =>
      findNotAccepted(what, observation) ??
      held(`${what} Accepted.`, { verdictSource: observation.source }),
  )

/** Checks that each post is answered with 200. Overload, outage and no answer are inconclusive. */
export const findEachAnswered = (
  { openRequest, present }: VerifierContext,
  cases: readonly PresentationCase[],
): Promise<Finding> =>
  findEach(cases, async (each) => {
    const verdictSource = 'HTTP status of the response endpoint'
    const { status, reason } = await present(await openRequest(), each)
    if (status === 200) return held(`${each.what} The response was 200.`, { verdictSource })
    const kind = status === 0 ? 'timed-out' : classifyStatus(status)
    return kind === 'accepted' || kind === 'refused'
      ? broken(`${each.what} The response was HTTP ${status} instead of 200.`, {
          verdictSource,
          expected: 200,
          actual: status,
        })
      : inconclusive(`${each.what} ${reason}`, { verdictSource })
  })

/** The finding about a presentation that was wrongly accepted. */
export const findAcceptance = (what: string, { source, reason }: Observation): Finding =>
  wronglyAccepted(`${what} It was accepted anyway. ${reason}`, {
    verdictSource: source,
    expected: 'rejected',
    actual: 'accepted',
  })

const findAcceptanceOf = (
  { what, level }: PresentationCase,
  observation: Observation,
): Finding => ({ ...findAcceptance(what, observation), ...(level && { level }) })

/**
 * The finding about a valid presentation; undefined if it was accepted. It must end its session:
 * a session that is still pending at the time limit of the target was not accepted.
 */
export function findNotAccepted(
  what: string,
  { verdict, source, reason, isOutage, isPending }: Observation,
): Finding | undefined {
  if (verdict === 'accepted') return undefined
  if (isPending) {
    const details = { verdictSource: source, expected: 'accepted', actual: 'pending' }
    return broken(`${what} It did not end the session. ${reason}`, details)
  }
  if (verdict === 'undecided') {
    const details = { verdictSource: source, ...(isOutage && { isOutage }) }
    return inconclusive(`${what} The verdict is unknown: ${reason}`, details)
  }
  return broken(`${what} It was rejected. ${reason}`, {
    verdictSource: source,
    expected: 'accepted',
    actual: 'rejected',
  })
}
