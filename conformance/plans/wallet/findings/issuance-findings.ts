import {
  broken,
  endCheck,
  type Finding,
  held,
  inconclusive,
  wronglyAccepted,
} from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour, IssuerEndpoint } from '../counterparts/issuer-behaviour.ts'
import type { IssuerRequest, IssuerSession } from '../counterparts/issuer-session.ts'

export interface TakeCredentialOptions {
  /** By default the issuer is as good as can be. */
  readonly behaviour?: IssuerBehaviour
  /** By default by value. */
  readonly delivery?: 'value' | 'reference'
  /** By default that of the behaviour. */
  readonly pin?: string
}

export interface TakenCredential {
  readonly session: IssuerSession
  readonly answer: VerbAnswer
  readonly credential: string
}

/**
 * Has the wallet accept an offer that it has to accept, and goes on only where it says that it did
 * and the kit handed a credential out.
 */
export async function takeCredential(
  context: WalletContext,
  { behaviour = {}, delivery = 'value', pin = behaviour.pin }: TakeCredentialOptions = {},
): Promise<TakenCredential> {
  const session = context.openIssuer(behaviour)
  const link = delivery === 'value' ? session.offerByValue() : session.offerByReference()
  const answer = await context.wallet.acceptOffer({ link, ...(pin === undefined ? {} : { pin }) })
  const credential = session.delivered.at(-1)
  const { outcome, reason, source: verdictSource } = answer
  if (outcome === 'refused') {
    endCheck(broken(`The wallet refused an offer that is good: ${reason}`, { verdictSource }))
  }
  if (outcome !== 'done') {
    endCheck(inconclusive(`Whether the wallet takes the offer can't be told: ${reason}`))
  }
  if (credential === undefined) {
    const told = 'The wallet said that it had accepted the offer, but it got no credential'
    endCheck(inconclusive(`${told}; ${tellRequests(session)}`, { verdictSource }))
  }
  context.noteHeld(credential)
  context.proven.add('offers')
  return { session, answer, credential }
}

/** What a wallet asked an issuer for, in words. */
export function tellRequests({ requests }: IssuerSession): string {
  if (requests.length === 0) return 'it asked the issuer for nothing.'
  const names = requests.map(({ method, path }) => `${method} ${path}`)
  return `it sent ${names.join(', ')}.`
}

/**
 * Has the wallet accept an offer whose credential it must not keep, and tells whether it did: by what
 * it says, and by its list where it has one. `wrong` says what is wrong, to follow `a credential`.
 */
export async function findCredentialNotKept(
  context: WalletContext,
  behaviour: IssuerBehaviour,
  wrong: string,
): Promise<Finding> {
  const session = context.openIssuer(behaviour)
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const finding = await judge(context, session, answer, wrong)
  if (finding.kind !== 'held') context.noteChanged()
  return finding
}

async function judge(
  { wallet }: WalletContext,
  session: IssuerSession,
  { outcome, reason, source: verdictSource }: VerbAnswer,
  wrong: string,
): Promise<Finding> {
  const [credential] = session.delivered
  if (credential === undefined) {
    const told = `The wallet never got the credential ${wrong}: ${tellRequests(session)}`
    return inconclusive(`${told} ${reason}`, { verdictSource })
  }
  if (outcome === 'done') {
    return wronglyAccepted(`The wallet accepted a credential ${wrong}.`, { verdictSource })
  }
  const listed = wallet.can.list ? await wallet.list() : undefined
  if (listed && listsCredential(listed.credentials, credential)) {
    const told = `The wallet said that it refused, but lists a credential ${wrong}`
    return wronglyAccepted(`${told}: ${reason}`, { verdictSource: listed.source })
  }
  if (outcome !== 'refused') return inconclusive(reason, { verdictSource })
  const checked = listed?.outcome === 'done' ? ', does not list it,' : ''
  return held(`The wallet did not keep it${checked} and said: ${reason}`, { verdictSource })
}

/** Whether a wallet's list holds a credential: the JWT itself, or its id. */
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
  /** Why it has to be refused: `the metadata is that of another issuer`. */
  readonly why: string
  /** What the wallet has to have asked for before its refusal can be about that. */
  readonly after?: IssuerEndpoint
  /** What it must not send; by default a token request. */
  readonly withheld?: 'token' | 'credential'
}

const names = { token: 'token request', credential: 'credential request' } as const

/**
 * What a wallet did about an offer that it must not take: it is seen in what it did not send until
 * its verb ended, and in what it said then.
 */
export function findOfferRefused(
  session: IssuerSession,
  { outcome, reason, source: verdictSource }: VerbAnswer,
  { why, after, withheld = 'token' }: ExpectedOfferRefusal,
): Finding {
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
    return inconclusive(`${silent}, but said that it had accepted the offer.`, { verdictSource })
  }
  if (outcome !== 'refused') return inconclusive(`${silent}; ${reason}`, { verdictSource })
  if (after !== undefined && session.requestsTo(after).length === 0) {
    const told = `The wallet refused before it asked for the ${after}, so not since ${why}`
    return inconclusive(`${told}: ${reason}`, { verdictSource })
  }
  return held(`${silent} and said: ${reason}`, { verdictSource })
}

/** One finding of several: the first that is broken, else the first that is inconclusive, else that all held. */
export function firstNotHeld(findings: readonly Finding[]): Finding {
  const found =
    findings.find(({ kind }) => kind === 'broken') ??
    findings.find(({ kind }) => kind === 'inconclusive')
  if (found) return found
  const [first] = findings
  if (first && findings.length === 1) return first
  const verdictSource = findings.find((finding) => finding.verdictSource)?.verdictSource
  const told = findings.map(({ reason }, index) => `(${index + 1}) ${reason}`).join(' ')
  return held(told, verdictSource === undefined ? {} : { verdictSource })
}

/** Has the wallet accept an offer for each PIN, and tells whether it sent them as they are. */
export async function findPinsSent(
  context: WalletContext,
  pins: readonly string[],
): Promise<Finding> {
  const findings: Finding[] = []
  const verdictSource = 'token request'
  for (const pin of pins) {
    const { session } = await takeCredential(context, { behaviour: { pin } })
    const [request] = session.requestsTo('token')
    const sent = new URLSearchParams(request?.body).get('tx_code')
    findings.push(
      sent === pin
        ? held(`The wallet sent the PIN of ${pin.length} signs.`, { verdictSource })
        : broken(tellDifference(sent, pin), {
            verdictSource,
            expected: pin,
            actual: sent,
          }),
    )
  }
  return firstNotHeld(findings)
}

/** What is wrong with a PIN, without the PIN: no report shows one. */
function tellDifference(sent: string | null, pin: string): string {
  if (sent === null) return 'The token request has no tx_code, although there is a PIN.'
  const zeros = pin.length - pin.replace(/^0+/, '').length
  if (zeros > 0 && sent === pin.slice(zeros)) {
    return `The wallet sent a PIN of ${pin.length} digits without the zeros in front: ${sent.length} digits arrived.`
  }
  return `The wallet sent another tx_code (${sent.length} signs) than the PIN (${pin.length} signs).`
}

/** What a wallet did that met a redirect at an endpoint of the issuer. */
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
    const told = `The wallet never asked the ${endpoint} endpoint`
    return inconclusive(`${told}: ${reason}`, { verdictSource })
  }
  const followed = session.requestsTo('elsewhere')
  if (followed.length > 0) {
    return broken('The wallet followed the redirect.', {
      verdictSource: 'requests to the other address',
      actual: followed.map(({ method, path }) => `${method} ${path}`),
    })
  }
  if (outcome === 'done') {
    return broken('The wallet said that it had the credential.', { verdictSource })
  }
  return outcome === 'refused'
    ? held(`The wallet stopped there and said: ${reason}`, { verdictSource })
    : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
}

export interface ObservedIssuance {
  readonly session: IssuerSession
  /** The first request to the endpoint that is looked at. */
  readonly request: IssuerRequest
}

/**
 * Offers the wallet a credential to see what it sends, and goes on where that endpoint was asked,
 * whatever the wallet did with what it got.
 */
export async function observeIssuance(
  context: WalletContext,
  endpoint: IssuerEndpoint,
  behaviour: IssuerBehaviour = {},
): Promise<ObservedIssuance> {
  const session = context.openIssuer(behaviour)
  const { outcome, reason } = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const credential = session.delivered.at(-1)
  if (outcome === 'done' && credential !== undefined) context.noteHeld(credential)
  else context.noteChanged()
  const [request] = session.requestsTo(endpoint)
  if (request) return { session, request }
  endCheck(inconclusive(`The wallet never asked the ${endpoint} endpoint: ${reason}`))
}

/**
 * What a wallet did that had to give up by itself and to say so; `after` says after what. That it
 * failed says so too, as somebody else had failed before; a crash says nothing.
 */
export function findStopped(
  { outcome, reason, source: verdictSource, hasCrashed }: VerbAnswer,
  after: string,
): Finding {
  if (outcome === 'done') {
    return broken(`The wallet said ${after} that it was done.`, { verdictSource })
  }
  if (outcome === 'timed-out') {
    return broken(`The wallet had not stopped ${after}: ${reason}`, { verdictSource })
  }
  if (outcome === 'overloaded' || hasCrashed) return inconclusive(reason, { verdictSource })
  return held(`The wallet stopped ${after}: ${reason}`, { verdictSource })
}
