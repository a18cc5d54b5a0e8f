import { createHash, randomBytes } from 'node:crypto'
import { type CheckLevel, type Finding, held, inconclusive } from '../../kit/check.ts'
import {
  asPremise,
  type ExpectedRefusal,
  errorOf,
  findRefusal,
  requireFinding,
} from '../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../kit/find-each.ts'
import type { IdpContext, LoginOptions } from './context.ts'
import type { IdpParty } from './z-target.ts'

type Form = Readonly<Record<string, string>>

/** A token request that must be rejected: the right one with changes. */
export interface WrongRequest {
  /** To follow `A token request`: `without a code_verifier`. */
  readonly what: string
  /** Parameters that replace those of the right request; undefined removes one. */
  readonly form?: Readonly<Record<string, string | undefined>>
  /** The credentials of the request; undefined sends none. By default those of the client. */
  readonly party?: IdpParty | undefined
  /** The level of a wrong acceptance, if it is lower than that of the check. */
  readonly level?: CheckLevel
}

interface Redeeming {
  readonly refusal: Omit<ExpectedRefusal, 'what'>
  readonly login?: LoginOptions
  /** Parameters of the right request in addition to the usual ones. */
  readonly added?: Form
}

/**
 * Redeems a code in several wrong ways, and then in the right way. If the code does not work any
 * more, the first rejection may have used it up: each of the others gets a new login.
 */
export async function findEachRejected(
  context: IdpContext,
  all: readonly WrongRequest[],
  { refusal, login = {}, added = {} }: Redeeming,
): Promise<Finding> {
  const cases = dueCases(context, all)
  const create = async () => {
    const begun = await asPremise('a login (see O02)', context.logIn(login))
    return { ...context.codeForm(begun, login.party), ...added }
  }
  let form: Form | undefined = await create()
  const first = await findEach(cases, async (each) => {
    form ??= await create()
    const finding = await findRejected(context, { ...refusal, form, each })
    // The code may be used up. The next case gets a new one, whose failure must not hide this one.
    if (finding.kind !== 'held') form = undefined
    return finding
  })
  if (first.kind !== 'held') return first
  const { status } = await context.requestTokens(form, login.party ?? context.target.client)
  const others = status === 200 ? [] : cases.slice(1)
  const other = await findEach(others, async (each) =>
    findRejected(context, { ...refusal, form: await create(), each }),
  )
  return other.kind === 'held' ? held(`Rejected: ${describe(cases)}.`, { verdictSource }) : other
}

/**
 * Checks that the token endpoint rejects clients before codes. Without a wallet login it does so
 * with a made-up code: an error about the client is then a rejection, one about the code is not.
 */
export async function findClientsRejected(
  context: IdpContext,
  all: readonly WrongRequest[],
  refusal: Omit<ExpectedRefusal, 'what'>,
): Promise<Finding> {
  const failure = await context.logIn().then(() => undefined, requireFinding)
  if (failure === undefined) return findEachRejected(context, all, { refusal })
  const cases = dueCases(context, all)
  const form = madeUpForm(context)
  const finding = await findEach(cases, async (each) => {
    const answer = await send(context, form, each)
    if (errorOf(answer) === 'invalid_grant') {
      const observed = `The token request ${each.what} was rejected for its made-up code`
      return inconclusive(`${observed}, and there is no other: ${failure.reason}`)
    }
    return findRefusal(answer, { ...refusal, what: `A token request ${each.what}` })
  })
  if (finding.kind !== 'held') return finding
  return held(`Rejected with a made-up code: ${describe(cases)}.`, { verdictSource })
}

const verdictSource = 'HTTP status of the token endpoint'

const describe = (cases: readonly WrongRequest[]) =>
  `token requests ${cases.map(({ what }) => what).join(', ')}`

/** A token request with a code that was never issued. */
export const madeUpForm = ({ target: { client } }: Pick<IdpContext, 'target'>): Form => ({
  grant_type: 'authorization_code',
  code: 'nobody-was-given-this-code',
  redirect_uri: client.redirectUri,
  client_id: client.clientId,
})

async function findRejected(
  context: IdpContext,
  { form, each, ...refusal }: Omit<ExpectedRefusal, 'what'> & { form: Form; each: WrongRequest },
): Promise<Finding> {
  const answer = await send(context, form, each)
  const finding = findRefusal(answer, { ...refusal, what: `A token request ${each.what}` })
  const isLower = finding.kind === 'broken' && answer.status < 400 && each.level !== undefined
  return isLower ? { ...finding, level: each.level } : finding
}

function send({ requestTokens, target }: IdpContext, form: Form, each: WrongRequest) {
  const changed = Object.entries({ ...form, ...each.form }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return requestTokens(Object.fromEntries(changed), 'party' in each ? each.party : target.client)
}

interface Pkce {
  readonly verifier: string
  readonly challenge: Readonly<Record<'code_challenge' | 'code_challenge_method', string>>
}

/**
 * A new code_verifier, and the parameters of the authorization request for it. The challenge
 * contains - and _, so that no IDP passes with base64 instead of base64url by chance.
 * @param length of the code_verifier: 43 to 128
 * @param start of the code_verifier
 */
export function createPkce(length = 64, start = ''): Pkce {
  const verifier = `${start}${randomBytes(96).toString('base64url')}`.slice(0, length)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return /-.*_|_.*-/.test(code_challenge)
    ? { verifier, challenge: { code_challenge, code_challenge_method: 'S256' } }
    : createPkce(length, start)
}
