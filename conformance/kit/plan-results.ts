import { parseJws } from '#core/crypto/jws.ts'
import { type DialectKind, type DialectMember, lintDialect } from '#core/dialect/lint-dialect.ts'
import { findLink, type LinkKind } from '#core/link/find-link.ts'
import type { Hop } from '#scenarios/harness/z-control-answers.ts'
import { type DialectSummary, isKitFault, type Results } from '#scenarios/harness/z-results.ts'
import type { Finding } from './check.ts'
import type { OpenPlan } from './plan.ts'
import { type CheckRun, unstableFrom } from './run-plan.ts'

/** A message whose form shows which revision it follows. */
interface FoundMessage {
  readonly kind: DialectKind
  readonly message: unknown
}

type Members = Readonly<Record<string, unknown>>

/** The messages of OpenID4VCI and OpenID4VP that one part sent in an exchange, by their members. */
function findMessages(hop: Hop, sender: string): FoundMessage[] {
  const asked = membersOf(hop.requestBody)
  const answered = membersOf(hop.responseBody)
  if (hop.from === sender) return requestsIn(asked)
  if (hop.to !== sender || hop.status >= 400) return []
  return [...answersIn(asked, answered), ...linksIn(hop.responseBody), ...signedIn(hop)]
}

function requestsIn(body: Members): FoundMessage[] {
  if ('grant_type' in body) return [{ kind: 'token-request', message: body }]
  if ('vp_token' in body) return [{ kind: 'presentation-response', message: body }]
  if ('acceptance_token' in body || 'transaction_id' in body) {
    return [{ kind: 'deferred-request', message: body }]
  }
  return isCredentialRequest(body) ? [{ kind: 'credential-request', message: body }] : []
}

function answersIn(asked: Members, answered: Members): FoundMessage[] {
  const of = (kind: DialectKind): FoundMessage[] => [{ kind, message: answered }]
  if ('access_token' in answered) return of('token-response')
  if ('credential_endpoint' in answered) return of('issuer-metadata')
  if ('credential_issuer' in answered) return of('credential-offer')
  if (isCredentialRequest(asked)) return of('credential-response')
  const isPoll = 'acceptance_token' in asked || 'transaction_id' in asked
  return isPoll && 'credential' in answered ? of('deferred-response') : []
}

const isCredentialRequest = (body: Members) =>
  ['proof', 'proofs', 'credential_configuration_id', 'credential_identifier'].some(
    (name) => name in body,
  )

/** Links that carry the message itself, as a page or an answer shows them. */
function linksIn(body: unknown): FoundMessage[] {
  const text = typeof body === 'string' ? body : Object.values(membersOf(body)).join('\n')
  return (['offer', 'request'] as const).flatMap((wanted) => {
    const link = findLink(text, wanted)?.link
    return link === undefined ? [] : messageInLink(wanted, link)
  })
}

function messageInLink(kind: LinkKind, link: string): FoundMessage[] {
  const parameters = new URLSearchParams(link.slice(link.indexOf('?') + 1))
  if (kind === 'offer') {
    const offer = membersOf(parameters.get('credential_offer'))
    return 'credential_issuer' in offer ? [{ kind: 'credential-offer', message: offer }] : []
  }
  const signed = parameters.get('request')
  if (signed !== null) return signedRequest(signed)
  return parameters.has('response_type')
    ? [{ kind: 'authorization-request', message: Object.fromEntries(parameters) }]
    : []
}

const signedIn = ({ responseBody }: Hop): FoundMessage[] =>
  typeof responseBody === 'string' ? signedRequest(responseBody) : []

function signedRequest(jwt: string): FoundMessage[] {
  const jws = parseJws(jwt.trim())
  if (!jws.ok || !('response_type' in jws.payload)) return []
  return [{ kind: 'authorization-request', message: jws.payload }]
}

function membersOf(body: unknown): Members {
  if (typeof body === 'string' && body.startsWith('{')) {
    try {
      return membersOf(JSON.parse(body))
    } catch {
      return {}
    }
  }
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Members) : {}
}

/**
 * Which revision each kind of message follows that a system under test sent in a run, and where it
 * departs from the profile: once for each kind, regardless of the number of messages.
 */
export function summarizeDialect(hops: readonly Hop[], sender: string): DialectSummary[] {
  const kinds = new Map<DialectKind, Summed>()
  for (const { kind, message } of hops.flatMap((hop) => findMessages(hop, sender))) {
    const summed = kinds.get(kind) ?? { messages: 0, members: new Map() }
    kinds.set(kind, summed)
    summed.messages += 1
    const { members, departures } = lintDialect(kind, message)
    for (const member of members) {
      const departure = departures.find((each) => isSame(each, member))
      const path = inGeneral(member.path)
      summed.members.set(`${path} ${member.follows}`, {
        path,
        follows: member.follows,
        clause: member.clause,
        ...(departure && { documents: departure.documents }),
      })
    }
  }
  const summaries = [...kinds].map(([kind, { messages, members }]) => ({
    kind,
    messages,
    members: [...members.values()],
  }))
  // A message without such members, as the token request of a relying party, has no dialect.
  return summaries.filter(({ members }) => members.length > 0)
}

interface Summed {
  messages: number
  readonly members: Map<string, DialectSummary['members'][number]>
}

const isSame = (one: DialectMember, other: DialectMember) =>
  one.path === other.path && one.follows === other.follows

/** `credentials.0` as `credentials.*`: an index does not matter for the form. */
const inGeneral = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*')

export interface PlanResultsOptions {
  readonly runs: readonly CheckRun[]
  readonly startedAt: Date
  readonly durationMilliseconds: number
  readonly interrupted: boolean
  readonly strict: boolean
  readonly kitVersion: string
  /** Commit of the kit's source. */
  readonly commit?: string | undefined
  readonly pattern?: string | undefined
}

/** The results of a plan, in the form that all reports use. */
export function createPlanResults(
  { plan, target }: Pick<OpenPlan, 'plan' | 'target'>,
  options: PlanResultsOptions,
): Results {
  const { runs, startedAt, durationMilliseconds, interrupted, strict, kitVersion, commit } = options
  const blocked = runs.flatMap(({ finding }) => (finding?.isBlocked ? [finding] : []))
  const faulty = runs.filter(({ result }) => isKitFault(result))
  return {
    schemaVersion: 1,
    startedAt: startedAt.toISOString(),
    durationMilliseconds,
    interrupted,
    environment: 'pre',
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
    warnings: [
      ...describeSilence(runs),
      ...describeInstability(runs),
      ...describeBlocked(blocked, runs.length),
      ...faulty.map(
        ({ check }) => `${check.id}: internal error in the conformance kit. Please report it.`,
      ),
    ],
    conformance: {
      plan,
      target,
      strict,
      blocked: blocked.length,
      kitVersion,
      ...(commit === undefined ? {} : { commit }),
      dialect: summarizeDialect(
        runs.flatMap(({ result }) => result.hops),
        `${plan} under test`,
      ),
    },
    scenarios: runs.map(({ result }) => result),
  }
}

/** One sentence for all checks that were not tried. */
function describeSilence(runs: readonly CheckRun[]): string[] {
  const untried = runs.filter(({ silence }) => silence !== undefined)
  const [first] = untried
  if (first === undefined) return []
  const which = `${first.check.id} and all later checks (${untried.length}) were not run`
  const advice = 'Is it running, and are the addresses in the target file correct?'
  return [`The target does not respond: ${first.silence} ${which}. ${advice}`]
}

/** One sentence for all checks in which the target contradicted itself. */
function describeInstability(runs: readonly CheckRun[]): string[] {
  const unstable = runs.filter(({ isUnstable }) => isUnstable).map(({ check }) => check.id)
  if (unstable.length === 0) return []
  const what = `The target is unstable: it responded differently to the same request in ${unstable.join(', ')}.`
  return [
    unstable.length < unstableFrom
      ? what
      : `${what} Its passes prove nothing and count as inconclusive.`,
  ]
}

/** Two sentences about all blocked checks, if they are more than half of the run. */
function describeBlocked(blocked: readonly Finding[], total: number): string[] {
  const [first] = blocked
  if (first === undefined || blocked.length <= total / 2) return []
  const what = `${blocked.length} of ${total} checks have no result because something that they depend on failed`
  return [`${what}, so the run has failed. Fix that first: ${first.reason}`]
}
