import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { CheckRow, CheckTexts } from '../../kit/check.ts'
import type { FreshIdentity } from '../registries/did-registry-under-test.ts'
import { findEachRefused } from '../registries/findings.ts'
import type { DidRegistryContext } from './context.ts'
import { contractBodies, createP256Jwk, jwkAsHex } from './operations.ts'

/** Requests that have to be refused, by what is wrong with them. */
export interface WrongRequests extends CheckTexts {
  /** What is asked: `addVerificationMethod`. */
  readonly to: string
  /** To follow `A request with`: `no did`. */
  readonly wrong: Readonly<Record<string, Request>>
  /** The same request with nothing wrong. */
  readonly control?: Request
  /** By default 400 alone. */
  readonly statuses?: readonly number[]
  readonly errors?: readonly string[]
  /** What the requests are about; by default an identity that is not registered. */
  readonly prepare?: (context: DidRegistryContext) => Promise<FreshIdentity>
}

/** What a wrong request is made of. */
export interface RequestSubject extends DidRegistryContext {
  readonly identity: FreshIdentity
  /** A correct body for each operation below /contract/. */
  readonly bodies: Readonly<Record<string, Body>>
  /** A public key of P-256. */
  readonly jwk: Readonly<Record<string, unknown>>
}

type Body = Readonly<Record<string, unknown>>
export type Request = (subject: RequestSubject) => Promise<HttpAnswer>
type Changes = object | ((body: Body, subject: RequestSubject) => object)

/** Has an operation built with members replaced, or left out where they are undefined. */
export const build =
  (operation: string, changes: Changes = {}): Request =>
  (subject) => {
    const body = subject.bodies[operation] ?? {}
    const changed = typeof changes === 'function' ? changes(body, subject) : changes
    return subject.registry.post(`contract/${operation}`, { ...body, ...changed })
  }

/** Changes of a correct body by what is wrong then, and the correct one as control. */
export const wrongBodies = (operation: string, wrong: Readonly<Record<string, Changes>>) => ({
  to: operation,
  wrong: Object.fromEntries(
    Object.entries(wrong).map(([what, changes]) => [what, build(operation, changes)]),
  ),
  control: build(operation),
})

/** Another text in a member. */
export const change =
  (member: string, toWrong: (text: string) => string): Changes =>
  (body) => ({ [member]: toWrong(String(body[member])) })

/** As wrongBodies, for addVerificationMethod with a JWK. */
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

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** The check that each of the requests is refused, and the one with nothing wrong is not. */
export function refusesEach({
  to,
  wrong,
  control,
  statuses = [400],
  errors,
  prepare,
  ...texts
}: WrongRequests): CheckRow<DidRegistryContext> {
  const what = Object.keys(wrong)
  const due = `HTTP ${either.format(statuses.map(String))}${errors ? ` with error ${either.format(errors)}` : ''}`
  const forEach = what.length > 1 ? ' for each of them' : ''
  return {
    ...texts,
    expectation: 'refuse',
    sends: `${to} with ${what.join('; ')}.`,
    decides: `${due}${forEach}${control ? ', while the same request without the mistake is accepted' : ''}.`,
    async run(context) {
      const identity = (await prepare?.(context)) ?? context.registry.createIdentity()
      const registrar = { identity, from: identity.address }
      const bodies = contractBodies(context.registry, identity, context.now(), registrar)
      const subject: RequestSubject = { ...context, identity, bodies, jwk: createP256Jwk() }
      const requests = Object.entries(wrong).map(
        ([what, request]) => [what, () => request(subject)] as const,
      )
      return findEachRefused(Object.fromEntries(requests), {
        statuses,
        ...(errors && { errors }),
        ...(control && { control: () => control(subject) }),
      })
    },
  }
}
