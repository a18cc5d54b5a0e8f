import {
  broken,
  endCheck,
  endedWith,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type {
  IssuerBehaviour,
  IssuerEndpoint,
  IssuerRequest,
  IssuerSession,
} from '../counterparts/issuer-session.ts'

export interface TakeCredentialOptions {
  /** By default a fully conformant issuer. */
  readonly behaviour?: IssuerBehaviour
  /** By default the offer by value. */
  readonly link?: (session: IssuerSession) => string
  /** By default that of the behaviour. */
  readonly pin?: string
}

export interface TakenCredential {
  readonly session: IssuerSession
  readonly answer: VerbAnswer
  readonly credential: string
}

/**
 * Has the wallet accept a valid offer. Ends the check unless the wallet reports success and the kit
 * issued a credential.
 */
export async function takeCredential(
  context: WalletContext,
  { behaviour = {}, link = byValue, pin = behaviour.pin }: TakeCredentialOptions = {},
): Promise<TakenCredential> {
  const session = context.openIssuer(behaviour)
  const answer = await context.wallet.acceptOffer({
    link: link(session),
    ...(pin === undefined ? {} : { pin }),
  })
  const credential = session.delivered.at(-1)
  const { outcome, reason, source: verdictSource } = answer
  if (outcome === 'refused') {
    const proof = session.proofs.at(-1)
    if (proof !== undefined && proof.holderDid === undefined) {
      // Without c_nonce, the profile does not require a proof (W56).
      const rejected = `The credential request has ${proof.jwt === '' ? 'no proof' : 'a proof without the DID of a holder'}, so the kit's issuer does not know the holder and rejected it. Send a proof with each request, even without a c_nonce, and the DID in kid.`
      endCheck(inconclusive(rejected, { verdictSource }))
    }
    const rejected = credential === undefined ? 'offer' : 'credential'
    const fix = credential === undefined ? {} : adviceOnTrust(context, behaviour)
    endCheck(
      broken(`The wallet rejected a valid ${rejected}: ${reason}`, { verdictSource, ...fix }),
    )
  }
  if (outcome !== 'done') {
    const unknown = `Could not determine whether the wallet accepts the offer: ${reason}`
    // How long a wallet waits for a deferred credential is up to the wallet.
    const isValid = behaviour.deferredPolls === undefined
    endCheck(inconclusive(unknown, outageIn(context, session, { answer, isValid })))
  }
  if (credential === undefined) {
    const contradiction = 'The wallet reported that it accepted the offer, but it got no credential'
    const details = { verdictSource, ...undoneIn(context, session) }
    endCheck(inconclusive(`${contradiction}; ${describeRequests(session)}`, details))
  }
  context.noteHeld(credential)
  context.proven.add('offers')
  return { session, answer, credential }
}

const byValue = (session: IssuerSession) => session.offerByValue()

/** A wallet that never keeps an ordinary credential probably has other registries. */
function adviceOnTrust(
  { proven, trust }: Pick<WalletContext, 'proven' | 'trust'>,
  { credential, defect }: IssuerBehaviour,
): Pick<Finding, 'fix'> {
  if (proven.has('offers') || credential !== undefined || defect !== undefined) return {}
  const { didRegistryBaseUrl, tirBaseUrl, rootDid, environment } = trust.addresses
  return {
    fix: `First make sure that the wallet trusts the registries of this run: DID registry ${didRegistryBaseUrl}, TIR ${tirBaseUrl}, root ${rootDid}, environment ${environment}. Its commands find them in TESTBED_DID_REGISTRY_URL, TESTBED_TIR_URL, TESTBED_ROOT_DID and TESTBED_ENVIRONMENT.`,
  }
}

/**
 * Marks a wallet that failed by itself: it crashed, or did not complete a valid message although
 * the kit answered each of its requests. A command that crashes may be wrong itself, or may reject
 * that way.
 */
export function outageIn(
  { wallet }: Pick<WalletContext, 'wallet'>,
  { requests }: { readonly requests: readonly unknown[] },
  { answer, isValid = false }: { readonly answer: VerbAnswer; readonly isValid?: boolean },
): Pick<Finding, 'isOutage' | 'actual'> {
  const { outcome, hasCrashed = false } = answer
  const isCrash = hasCrashed && wallet.by !== 'commands'
  const isLeftUndone = isValid && outcome === 'failed' && requests.length > 0
  const isOutage = isCrash || (isLeftUndone && wallet.by !== 'a person')
  return isOutage ? { isOutage, actual: 'a failure of the wallet itself' } : {}
}

/** How an adapter reports that the wallet discarded a message that it could not verify. */
export const adviceOn = (
  { wallet }: Pick<WalletContext, 'wallet'>,
  { outcome, hasCrashed }: VerbAnswer,
): string =>
  outcome === 'failed' && !hasCrashed && wallet.by !== 'a person'
    ? ' (If the wallet discarded it, the adapter must report a rejection: HTTP 422 or exit code 1.)'
    : ''

/**
 * Marks a wallet that reports success although it did not complete a valid message that it began. A
 * person may report too early.
 */
export const undoneIn = (
  { wallet }: Pick<WalletContext, 'wallet'>,
  { requests }: { readonly requests: readonly unknown[] },
): Pick<Finding, 'isOutage' | 'actual'> =>
  requests.length > 0 && wallet.by !== 'a person'
    ? { isOutage: true, actual: 'a success without the last request' }
    : {}

/** Describes the requests of a wallet to an issuer. */
export function describeRequests({ requests }: IssuerSession): string {
  if (requests.length === 0) return 'it sent no request to the issuer.'
  const names = requests.map(({ method, path }) => `${method} ${path}`)
  return `it sent ${names.join(', ')}.`
}

/** A credential that a wallet must not keep, and the issuer that delivers it. */
export interface WrongDelivery {
  /** Describes the defect, as text after `a credential`. */
  readonly wrong: string
  readonly behaviour: IssuerBehaviour
}

/**
 * Offers the wallet credentials that it must not keep, one after the other, and checks its reports
 * and, if it has one, its list at the end. `orFails`: a reported failure of the issuer counts as a
 * rejection.
 */
export async function findNoneKept(
  context: WalletContext,
  deliveries: readonly WrongDelivery[],
  { orFails = false }: { readonly orFails?: boolean } = {},
): Promise<Finding> {
  const finding = await findEachRejected(context, casesFor(context, deliveries), orFails)
  if (finding.kind !== 'held') context.noteChanged()
  return finding
}

async function findEachRejected(
  context: WalletContext,
  deliveries: readonly WrongDelivery[],
  orFails: boolean,
): Promise<Finding> {
  const { wallet } = context
  const received: {
    readonly wrong: string
    readonly credential: string
    readonly reason: string
  }[] = []
  const found = await findEach(deliveries, async ({ wrong, behaviour }) => {
    const session = context.openIssuer(behaviour)
    const answer = await wallet.acceptOffer({ link: session.offerByValue() })
    const { outcome, reason, source: verdictSource, hasCrashed } = answer
    const [credential] = session.delivered
    if (credential === undefined) {
      const missing = `The wallet did not get the credential ${wrong}: ${describeRequests(session)}`
      return inconclusive(`${missing} ${reason}`, { verdictSource })
    }
    if (outcome === 'done') {
      return wronglyAccepted(`The wallet accepted a credential ${wrong}.`, { verdictSource })
    }
    received.push({ wrong, credential, reason })
    const isRejected = outcome === 'refused' || (orFails && outcome === 'failed' && !hasCrashed)
    return isRejected
      ? held(`The wallet did not keep a credential ${wrong} and reported: ${reason}`, {
          verdictSource,
        })
      : inconclusive(`A credential ${wrong}: ${reason}${adviceOn(context, answer)}`, {
          verdictSource,
          ...outageIn(context, session, { answer }),
        })
  })
  if (found.kind === 'broken') return found
  const listed = wallet.can.list && received.length > 0 ? await wallet.list() : undefined
  const kept = received.find(
    ({ credential }) => listed && listsCredential(listed.credentials, credential),
  )
  if (listed && kept) {
    const contradiction = `The wallet reported a rejection, but lists a credential ${kept.wrong}`
    return wronglyAccepted(`${contradiction}: ${kept.reason}`, { verdictSource: listed.source })
  }
  if (found.kind !== 'held' || listed?.outcome !== 'done') return found
  return { ...found, reason: `${found.reason} Its list contains none of them.` }
}

/** The cases that a check sends now: to a person only the first one. */
export const casesFor = <Case>(
  context: Pick<WalletContext, 'isRepetition' | 'wallet'>,
  all: readonly Case[],
): readonly Case[] => (context.wallet.by === 'a person' ? all.slice(0, 1) : dueCases(context, all))

/** A valid credential or offer of an unusual form. */
export interface UnusualDelivery {
  /** What is unusual, as text after `a credential`. */
  readonly what: string
  readonly behaviour: IssuerBehaviour
  /** What to change in a wallet that rejects it, if that is not the fix of the check. */
  readonly fix?: string | undefined
}

/** Offers the wallet credentials that it must keep, one after the other. */
export async function findEachKept(
  context: WalletContext,
  deliveries: readonly UnusualDelivery[],
): Promise<Finding> {
  const finding = await findEach(casesFor(context, deliveries), ({ what, behaviour, fix }) =>
    asCase(
      `A credential ${what}`,
      takeCredential(context, { behaviour }).then(() => held(`The wallet kept it.`)),
      fix,
    ),
  )
  // Later checks would present these credentials.
  context.noteChanged()
  return finding
}

/** Names the case in a finding, also if it ends the check, and the fix of the case. */
export async function asCase(
  what: string,
  finding: Promise<Finding>,
  fix?: string,
): Promise<Finding> {
  const found = await finding.catch((error: unknown) => {
    const ended = endedWith(error)
    if (ended === undefined) throw error
    return ended
  })
  const isOwn = found.kind === 'broken' && fix !== undefined
  return { ...(isOwn && { fix }), ...found, reason: `${what}: ${found.reason}` }
}

/** Whether the list of a wallet contains a credential: the JWT itself, or its id. */
export function listsCredential(listed: readonly unknown[], credential: string): boolean {
  const [, payload = ''] = credential.split('.')
  const text = JSON.stringify(listed)
  if (text.includes(credential)) return true
  try {
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof jti === 'string' && text.includes(jti)
  } catch {
    return false
  }
}

export interface ExpectedOfferRefusal {
  /** Why the offer is invalid: `the metadata is that of another issuer`. */
  readonly why: string
  /** The endpoint that the wallet must request before it can detect the problem. */
  readonly after?: IssuerEndpoint
  /** The request that it must not send; by default a token request. */
  readonly withheld?: 'token' | 'credential' | 'deferred'
}

const names = {
  token: 'token request',
  credential: 'credential request',
  deferred: 'poll',
} as const

/**
 * Checks that a wallet rejected an offer: that it did not send the withheld request before its verb
 * ended, and that it reported a rejection.
 */
export function findOfferRefused(
  context: WalletContext,
  { session, answer }: { readonly session: IssuerSession; readonly answer: VerbAnswer },
  { why, after, withheld = 'token' }: ExpectedOfferRefusal,
): Finding {
  const { outcome, reason, source: verdictSource } = answer
  const sent = session.requestsTo(withheld).length
  if (sent > 0) {
    return wronglyAccepted(`The wallet sent a ${names[withheld]} although ${why}.`, {
      verdictSource: `requests to the ${withheld} endpoint`,
      expected: 0,
      actual: sent,
    })
  }
  const silent = `The wallet sent no ${names[withheld]}`
  if (outcome === 'done') {
    return inconclusive(`${silent}, but reported that it accepted the offer.`, { verdictSource })
  }
  if (outcome !== 'refused') {
    const details = { verdictSource, ...outageIn(context, session, { answer }) }
    return inconclusive(`${silent} when ${why}; ${reason}${adviceOn(context, answer)}`, details)
  }
  if (after !== undefined && session.requestsTo(after).length === 0) {
    const early = `The wallet rejected the offer before it requested the ${after}, so not because ${why}`
    return inconclusive(`${early}: ${reason}`, { verdictSource })
  }
  return held(`${silent} and reported: ${reason}`, { verdictSource })
}

/** Has the wallet accept an offer for each PIN, and checks that it sent them unchanged. */
export async function findPinsSent(
  context: WalletContext,
  pins: readonly string[],
): Promise<Finding> {
  return findEach(pins, async (pin) => {
    const verdictSource = 'token request'
    const { session } = await takeCredential(context, { behaviour: { pin } })
    const [request] = session.requestsTo('token')
    const sent = new URLSearchParams(request?.body).get('tx_code')
    return sent === pin
      ? held(`The wallet sent the PIN of ${pin.length} characters.`, { verdictSource })
      : broken(describeDifference(sent, pin), { verdictSource, expected: pin, actual: sent })
  })
}

/** Describes a wrong PIN without its value: no report may show a PIN. */
function describeDifference(sent: string | null, pin: string): string {
  if (sent === null) return 'The token request has no tx_code, although the offer requires a PIN.'
  const zeros = pin.length - pin.replace(/^0+/, '').length
  if (zeros > 0 && sent === pin.slice(zeros)) {
    return `The wallet sent a PIN of ${pin.length} digits without its leading zeros: ${sent.length} digits arrived.`
  }
  return `The tx_code of the wallet (${sent.length} characters) is not the PIN (${pin.length} characters).`
}

/** Checks that a wallet does not follow a redirect of an issuer endpoint. */
export async function findRedirectNotFollowed(
  context: WalletContext,
  endpoint: 'token' | 'credential',
): Promise<Finding> {
  const session = context.openIssuer({
    answers: { [endpoint]: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
  })
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const { outcome, reason, source: verdictSource } = answer
  if (session.requestsTo(endpoint).length === 0) {
    return inconclusive(`The wallet did not call the ${endpoint} endpoint: ${reason}`, {
      verdictSource,
    })
  }
  const followed = session.requestsTo('elsewhere')
  if (followed.length > 0) {
    return broken('The wallet followed the redirect.', {
      verdictSource: 'requests to the other address',
      actual: followed.map(({ method, path }) => `${method} ${path}`),
    })
  }
  if (outcome === 'done') {
    return broken('The wallet reported that it has the credential.', { verdictSource })
  }
  return outcome === 'refused'
    ? held(`The wallet stopped and reported: ${reason}`, { verdictSource })
    : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
}

export interface ObservedIssuance {
  readonly session: IssuerSession
  /** The first request to the observed endpoint. */
  readonly request: IssuerRequest
}

/**
 * Offers the wallet a credential to observe its requests. Ends the check if it did not call the
 * endpoint, but not if it failed later.
 */
export async function observeIssuance(
  context: WalletContext,
  endpoint: IssuerEndpoint,
  behaviour: IssuerBehaviour = {},
): Promise<ObservedIssuance> {
  const session = context.openIssuer(behaviour)
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const { outcome, reason } = answer
  const credential = session.delivered.at(-1)
  if (outcome === 'done' && credential !== undefined) context.noteHeld(credential)
  else context.noteChanged()
  const [request] = session.requestsTo(endpoint)
  if (request) return { session, request }
  const missing = `The wallet did not call the ${endpoint} endpoint: ${reason}`
  endCheck(inconclusive(missing, outageIn(context, session, { answer, isValid: true })))
}

/**
 * Checks that a wallet gave up by itself and reported it; `after` says after what. A reported
 * failure counts, because the counterpart failed first. A crash is inconclusive.
 */
export function findStopped(
  { outcome, reason, source: verdictSource, hasCrashed }: VerbAnswer,
  after: string,
): Finding {
  if (outcome === 'done') {
    return broken(`The wallet reported success ${after}.`, { verdictSource })
  }
  if (outcome === 'timed-out') {
    return broken(`The wallet did not stop ${after}: ${reason}`, { verdictSource })
  }
  if (outcome === 'overloaded' || hasCrashed) return inconclusive(reason, { verdictSource })
  return held(`The wallet stopped ${after}: ${reason}`, { verdictSource })
}
