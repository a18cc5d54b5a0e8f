import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { CheckRow, CheckTexts } from '../../kit/check.ts'
import { findEach, worstOf } from '../../kit/find-each.ts'
import type { FreshIdentity } from '../registries/did-registry-under-test.ts'
import { type EachRefusal, findEachRefused, findOneRefused } from '../registries/findings.ts'
import type { DidRegistryContext } from './context.ts'
import {
  contractBodies,
  createP256Jwk,
  jwkAsHex,
  type PreparedBodies,
  prepareBodies,
} from './operations.ts'

/** Requests that must be rejected, by what is wrong with them. */
export interface WrongRequests extends CheckTexts {
  /** The operation: `addVerificationMethod`. */
  readonly to: string
  /** To follow `A request with`: `no did`. */
  readonly wrong: Readonly<Record<string, Request>>
  /** Mistakes that a registry may correct without harm: accepting one is only a warning. */
  readonly harmless?: Readonly<Record<string, Request>>
  /** The same request without a mistake. */
  readonly control?: Request
  /** By default only 400. */
  readonly statuses?: readonly number[]
  readonly errors?: readonly string[]
  /** Prepares the subject of the requests; by default that of {@link prepareBodies}. */
  readonly prepare?: (context: DidRegistryContext) => Promise<FreshIdentity>
}

/** The inputs of a wrong request. */
export interface RequestSubject extends DidRegistryContext, PreparedBodies {
  /** A public key of P-256. */
  readonly jwk: Readonly<Record<string, unknown>>
}

type Body = Readonly<Record<string, unknown>>
export type Request = (subject: RequestSubject) => Promise<HttpAnswer>
type Changes = object | ((body: Body, subject: RequestSubject) => object)

/** Sends a build request with members replaced, or removed if they are undefined. */
export const build =
  (operation: string, changes: Changes = {}): Request =>
  (subject) => {
    const body = subject.bodies[operation] ?? {}
    const changed = typeof changes === 'function' ? changes(body, subject) : changes
    return subject.registry.post(`contract/${operation}`, { ...body, ...changed })
  }

/** Changes of a correct body by the resulting mistake, and the correct body as control. */
export const wrongBodies = (operation: string, wrong: Readonly<Record<string, Changes>>) => ({
  to: operation,
  wrong: Object.fromEntries(
    Object.entries(wrong).map(([what, changes]) => [what, build(operation, changes)]),
  ),
  control: build(operation),
})

/** Changes the string in a member. */
export const change =
  (member: string, toWrong: (text: string) => string): Changes =>
  (body) => ({ [member]: toWrong(String(body[member])) })

/** Like wrongBodies, for addVerificationMethod with a JWK. */
export const wrongJwks = (
  wrong: Readonly<Record<string, (jwk: Record<string, unknown>) => object>>,
) => {
  const members = (publicKey: string) => ({ publicKeyType: 'JsonWebKey2020', publicKey })
  const operation = 'addVerificationMethod'
  return {
    to: operation,
    wrong: Object.fromEntries(
      Object.entries(wrong).map(([what, change]) => [
        what,
        build(operation, (_, { jwk }) => ({ ...members(jwkAsHex(jwk)), ...change({ ...jwk }) })),
      ]),
    ),
    control: build(operation, (_, { jwk }) => members(jwkAsHex(jwk))),
  }
}

function preparedFor(
  { registry, now }: DidRegistryContext,
  identity: FreshIdentity,
): PreparedBodies {
  const first = { identity, from: identity.address }
  return { identity, newcomer: identity, bodies: contractBodies(registry, identity, now(), first) }
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** The check that each of the requests is rejected, and the valid one is not. */
export function refusesEach({
  to,
  wrong,
  harmless = {},
  control,
  statuses = [400],
  errors,
  prepare,
  ...texts
}: WrongRequests): CheckRow<DidRegistryContext> {
  const corrected = Object.keys(harmless)
  const what = [...Object.keys(wrong), ...corrected]
  const due = `HTTP ${either.format(statuses.map(String))}${errors ? ` with error ${either.format(errors)}` : ''}`
  const forEach = what.length > 1 ? ' for each of them' : ''
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${to} with ${what.join('; ')}.`,
    decides: `${due}${forEach}${control ? ', while the same request without the mistake is accepted' : ''}.${corrected.length > 0 ? ` Accepting ${either.format(corrected)} is a WARN.` : ''}`,
    async run(context) {
      const prepared = prepare
        ? preparedFor(context, await prepare(context))
        : await prepareBodies(context)
      const subject: RequestSubject = { ...context, ...prepared, jwk: createP256Jwk() }
      const requests = Object.entries(wrong).map(
        ([what, request]) => [what, () => request(subject)] as const,
      )
      const expected: EachRefusal = {
        statuses,
        ...(errors && { errors }),
        ...(control && { control: () => control(subject) }),
      }
      const finding = await findEachRefused(Object.fromEntries(requests), expected)
      if (finding.kind === 'inconclusive' || corrected.length === 0) return finding
      const other = await findEach(Object.entries(harmless), async ([what, request]) => {
        const refusal = { ...expected, what: `A request with ${what}` }
        const found = await findOneRefused(() => request(subject), refusal)
        return found.kind === 'broken' ? { ...found, level: 'practice' } : found
      })
      return worstOf([finding, other])
    },
  }
}
