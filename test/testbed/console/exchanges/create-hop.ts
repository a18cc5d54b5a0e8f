import type { Hop } from '#kit/traces.ts'

let lastId = 0

/** A recorded exchange, by default a wallet's GET at the connector; each one second later. */
export function createHop(overrides: Partial<Hop> = {}): Hop {
  lastId += 1
  return {
    id: lastId,
    at: Date.UTC(2026, 10, 21, 10, 0, lastId),
    durationMilliseconds: 12.5,
    from: 'wallet',
    to: 'connector',
    kind: 'http',
    method: 'GET',
    url: '/',
    status: 200,
    ...overrides,
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A recorded token: its signature is cut. */
export const createCutToken = (payload: object): string =>
  `${encode({ alg: 'ES256K' })}.${encode(payload)}.…`
