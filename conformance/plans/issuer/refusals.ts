import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { broken, type Finding, held } from '../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  type ExpectedRefusal,
  findRefusal,
} from '../../kit/classify-answer.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { OfferKind } from './make-offer.ts'
import { askForCredential, reachAnswer, redeem } from './redeeming.ts'

/** The controls `offer` and `pin-offer`: a wallet without any deviation gets what it is offered. */
export async function findServed(context: IssuerContext, kind?: OfferKind): Promise<Finding> {
  const { wallet, resolved, token } = await redeem(context, { kind })
  const { metadata, offered } = resolved
  for (const entry of offered) {
    const request = { metadata, entry, ...token }
    await asPremise('serving a wallet that does as documented', requestCredential(wallet, request))
  }
  return held('A wallet that does as documented gets what it is offered.')
}

/**
 * What an answer says where a refusal is demanded. The profile fixes no error codes for wallets:
 * another one than OpenID4VCI has weighs as `final` alone.
 */
export const findWalletRefusal = (
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  expected: Omit<ExpectedRefusal, 'errorLevel'>,
): Finding => findRefusal(answer, { ...expected, errorLevel: 'final' })

/**
 * As `findWalletRefusal`, for what no client should send: a 5xx that comes twice, while a good request
 * between is served, is no outage but a crash by what was sent.
 */
export async function findRefusalWithoutCrash(
  context: IssuerContext,
  what: string,
  send: () => Promise<HttpAnswer>,
): Promise<Finding> {
  const answer = await send()
  if (classifyStatus(answer.status) !== 'outage') return findWalletRefusal(answer, { what })
  await reachAnswer('a good request', askForCredential(context, await redeem(context)))
  context.proven.add('offer')
  const again = await send()
  if (classifyStatus(again.status) !== 'outage') return findWalletRefusal(again, { what })
  const { pathname } = new URL(again.url)
  return broken(`${what} was answered ${again.status} twice, and a good one between was served`, {
    expected: 'a 4xx',
    actual: again.status,
    verdictSource: `HTTP status of ${pathname}`,
    level: 'practice',
  })
}

/** True where a text of the answer holds the message: its shape is not shown, and it may go on. */
const saysIt = (value: unknown, message: string): boolean =>
  typeof value === 'string'
    ? value.includes(message)
    : typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((each) => saysIt(each, message))

/**
 * What an answer says where the profile demands a refusal with 400 and this message, word for word;
 * they fix no place for it.
 */
export function findDocumentedRefusal(answer: HttpAnswer, what: string, message: string): Finding {
  const finding = findRefusal(answer, { what, statuses: [400] })
  if (finding.kind !== 'held') return finding
  if (saysIt(answer.json ?? answer.text, message)) return finding
  return broken(`${what} was refused, but the answer does not say why as documented`, {
    expected: message,
    actual: answer.json ?? answer.text.slice(0, 300),
    verdictSource: `the answer of ${new URL(answer.url).pathname}`,
  })
}
