import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, endCheck, type Finding, held, inconclusive } from '../../kit/check.ts'
import {
  classifyStatus,
  type ExpectedRefusal,
  findingOfError,
  findRefusal,
} from '../../kit/classify-answer.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { OfferKind } from './make-offer.ts'
import { askForCredential, reachAnswer, redeem } from './redeeming.ts'

/** One finding out of several things that held. */
export function allHeld(findings: readonly Finding[]): Finding {
  const verdictSource = findings.find((finding) => finding.verdictSource)?.verdictSource
  const reason = findings.map((finding) => finding.reason.replace(/\.?$/, '.')).join(' ')
  return held(reason, verdictSource === undefined ? {} : { verdictSource })
}

/**
 * Goes on only where a wallet without any deviation gets what it asks for by an offer of this kind:
 * who refuses everybody has refused nothing in particular. Shown once for all checks of a run.
 */
export async function requireControl(
  context: IssuerContext,
  kind: OfferKind = 'plain',
): Promise<void> {
  if (context.proven.has(kind)) return
  const { wallet, resolved, token } = await redeem(context, { kind })
  const { metadata, offered } = resolved
  for (const entry of offered) {
    await requestCredential(wallet, { metadata, entry, ...token }).catch(endAsUndecided)
  }
  context.proven.add(kind)
}

function endAsUndecided(error: unknown): never {
  const finding = findingOfError(error)
  if (finding === undefined) throw error
  const told = 'It was refused, but so is a wallet that does as documented, which shows nothing'
  endCheck(inconclusive(`${told}: ${finding.reason}`))
}

export interface RefusalOptions extends Omit<ExpectedRefusal, 'errorLevel'> {
  /** The kind of offer by which the same request without the deviation is accepted. */
  readonly control?: OfferKind
}

/**
 * What an answer says where a refusal is demanded. The documents fix no error codes for wallets:
 * another one than OpenID4VCI has weighs as `final` alone. Whatever it says counts only where a wallet
 * without the deviation is served: at an endpoint that is not there each answer is wrong.
 */
export async function findProvenRefusal(
  context: IssuerContext,
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  { control = 'plain', ...expected }: RefusalOptions,
): Promise<Finding> {
  const finding = findRefusal(answer, { ...expected, errorLevel: 'final' })
  if (finding.kind !== 'inconclusive') await requireControl(context, control)
  return finding
}

/**
 * As `findProvenRefusal`, for what no client should send: a 5xx that comes twice, while a good request
 * between is served, is no outage but a crash by what was sent.
 */
export async function findRefusalWithoutCrash(
  context: IssuerContext,
  what: string,
  send: () => Promise<HttpAnswer>,
): Promise<Finding> {
  const answer = await send()
  if (classifyStatus(answer.status) !== 'outage')
    return findProvenRefusal(context, answer, { what })
  await reachAnswer('a good request', askForCredential(context, await redeem(context)))
  const again = await send()
  if (classifyStatus(again.status) !== 'outage') return findProvenRefusal(context, again, { what })
  const { pathname } = new URL(again.url)
  return broken(`${what} was answered ${again.status} twice, and a good one between was served`, {
    expected: 'a 4xx',
    actual: again.status,
    verdictSource: `HTTP status of ${pathname}`,
    level: 'practice',
  })
}

export interface DocumentedRefusal {
  readonly what: string
  readonly status: number
  /** Word for word; the documents fix no place for it. */
  readonly message: string
}

/** True where a text of the answer holds the message: its shape is not shown, and it may go on. */
const saysIt = (value: unknown, message: string): boolean =>
  typeof value === 'string'
    ? value.includes(message)
    : typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((each) => saysIt(each, message))

/** What an answer says where the documents demand a refusal with this status and message. */
export function findDocumentedRefusal(
  answer: HttpAnswer,
  { what, status, message }: DocumentedRefusal,
): Finding {
  const finding = findRefusal(answer, { what, statuses: [status] })
  if (finding.kind !== 'held') return finding
  if (saysIt(answer.json ?? answer.text, message)) return finding
  return broken(`${what} was refused, but the answer does not say why as documented`, {
    expected: message,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the answer of ${new URL(answer.url).pathname}`,
  })
}
