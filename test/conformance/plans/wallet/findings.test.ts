import { createPrivateKey } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { broken, endCheck, inconclusive } from '#conformance/kit/check.ts'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import type { WalletContext } from '#conformance/plans/wallet/context.ts'
import { openIssuerSession } from '#conformance/plans/wallet/counterparts/issuer-session.ts'
import { openVerifierSession } from '#conformance/plans/wallet/counterparts/verifier-session.ts'
import {
  asCase,
  findNoneKept,
  findStopped,
  outageIn,
} from '#conformance/plans/wallet/findings/issuance-findings.ts'
import {
  findPrivateKeyOf,
  findSecretKeys,
} from '#conformance/plans/wallet/findings/message-findings.ts'
import type { VerbAnswer, VerbOutcome } from '#conformance/targets/adapters/call-verb.ts'
import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { startKitServer } from '#conformance/world/start-kit-server.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

const now = 1_800_000_000

/** A wallet that gets the credential, then reports `outcome` and lists `listed`. */
async function judge(outcome: VerbOutcome, list: (credential: string) => readonly unknown[]) {
  const server = await startKitServer({ exchanges: createExchangeLog(), caller: 'wallet' })
  const world = createTrustWorld({ now })
  const { did: holderDid } = createHolder('of this test')
  const credential = issueCredential(world, { holderDid, now })
  const said = { outcome, reason: 'It says so.', text: '', json: undefined, source: 'test' }
  const context: Partial<WalletContext> = {
    noteChanged() {},
    openIssuer: (behaviour = {}) => ({
      ...openIssuerSession({ server, world, now: () => now, behaviour }),
      delivered: [credential],
    }),
    wallet: {
      by: 'a test',
      can: { list: true, reset: true },
      acceptOffer: async () => said,
      present: async () => said,
      reset: async () => said,
      list: async () => ({ ...said, outcome: 'done', credentials: list(credential) }),
    },
  }
  const finding = await findNoneKept(context as WalletContext, [
    { wrong: 'of a kind', behaviour: {} },
  ])
  await server.close()
  return finding
}

const jtiOf = (credential: string) => {
  const [, payload = ''] = credential.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).jti
}

it('passes after a rejection and a list without the credential', async () => {
  expect(await judge('refused', () => [])).toMatchObject({ kind: 'held' })
  expect(
    await judge('refused', () => [{ id: 'urn:uuid:another', credential: 'e30.e30.' }]),
  ).toMatchObject({ kind: 'held' })
})

it('fails if the list contains the credential, regardless of the report', async () => {
  expect(await judge('refused', (credential) => [{ credential }])).toMatchObject({ kind: 'broken' })
  expect(await judge('refused', (credential) => [{ id: jtiOf(credential) }])).toMatchObject({
    kind: 'broken',
  })
  expect(await judge('failed', (credential) => [credential])).toMatchObject({ kind: 'broken' })
  expect(await judge('done', () => [])).toMatchObject({ kind: 'broken' })
})

it('is inconclusive if the wallet failed, ran out of time or was overloaded', async () => {
  for (const outcome of ['failed', 'timed-out', 'overloaded'] as const) {
    const { kind, reason } = await judge(outcome, () => [])
    expect(kind).toBe('inconclusive')
    // A check sends many credentials, so the reason says which of them it was.
    expect(reason).toContain('A credential of a kind: It says so.')
    // Only a wallet that reported a failure may have meant a rejection.
    expect(reason.includes('HTTP 422')).toBe(outcome === 'failed')
  }
})

it('does not treat an error response as a presentation', async () => {
  const server = await startKitServer({ exchanges: createExchangeLog(), caller: 'wallet' })
  onTestFinished(() => server.close())
  const world = createTrustWorld({ now })
  const verifier = world.createParty('verifier')
  const options = { server, world, verifier, now: () => now, behaviour: {} }
  const session = openVerifierSession(options)
  const post = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form)
    await fetch(`${session.baseUrl}/response`, { method: 'POST', body })
    return session.posts.length
  }
  expect(await post({ error: 'access_denied', state: session.state })).toBe(0)
  expect(await post({ error: 'access_denied', vp_token: 'e30.e30.' })).toBe(1)
  expect(await post({})).toBe(2)
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (header: unknown, payload: unknown) =>
  `${encode(header)}.${encode(payload)}.c2lnbmF0dXJl`
const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: 'x' }
const privateJwk = { ...publicJwk, d: 'd' }

it.each<[string, string]>([
  ['in JSON', JSON.stringify({ proof: { keys: [privateJwk] } })],
  ['in the header of a JWT', JSON.stringify({ jwt: jwt({ alg: 'EdDSA', jwk: privateJwk }, {}) })],
  ['in a JWT in a form', new URLSearchParams({ vp_token: jwt({}, { privateJwk }) }).toString()],
  [
    'in a credential in a presentation in a form',
    new URLSearchParams({
      vp_token: jwt({}, { vp: { verifiableCredential: [jwt({}, { privateJwk })] } }),
    }).toString(),
  ],
  ['in JSON in a form', new URLSearchParams({ extra: JSON.stringify(privateJwk) }).toString()],
])('finds a private key %s', (_where, body) => {
  expect(findSecretKeys([body])).toEqual(['a JWK of OKP Ed25519'])
})

it('finds a symmetric key without printing its value', () => {
  const body = JSON.stringify({ kty: 'oct', k: 'secret' })
  expect(findSecretKeys([body])).toEqual(['a JWK of oct'])
})

it('ignores public keys, and members named d outside of keys', () => {
  const bodies = [
    JSON.stringify({ jwk: publicJwk, d: 1, k: 2 }),
    new URLSearchParams({ vp_token: jwt({ jwk: publicJwk }, {}) }).toString(),
    'no.json.at-all',
    '',
  ]
  expect(findSecretKeys(bodies)).toEqual([])
})

it('searches a long run of letters in linear time', () => {
  const create = (size: number) => ['a-'.repeat(size / 2)]
  expect(measureGrowth(create, findSecretKeys)).toBeLessThan(linearGrowth)
})

const kindOf = (seen: Pick<VerbAnswer, 'outcome' | 'hasCrashed'>) =>
  findStopped({ reason: '', text: '', json: undefined, source: 'test', ...seen }, 'after it').kind

describe('a wallet that must stop', () => {
  it('passes if it reports a rejection or a failure', () => {
    expect(kindOf({ outcome: 'refused' })).toBe('held')
    expect(kindOf({ outcome: 'failed' })).toBe('held')
  })

  it('fails if it reports success or continues', () => {
    expect(kindOf({ outcome: 'done' })).toBe('broken')
    expect(kindOf({ outcome: 'timed-out' })).toBe('broken')
  })

  it('is inconclusive after a crash or an overload', () => {
    expect(kindOf({ outcome: 'failed', hasCrashed: true })).toBe('inconclusive')
    expect(kindOf({ outcome: 'overloaded' })).toBe('inconclusive')
  })
})

describe('the private key of the wallet', () => {
  const { privateKey } = createHolder('with a key')
  const bytes = Buffer.from(privateKey.d, 'base64url')
  const pem = createPrivateKey({ key: { ...privateKey }, format: 'jwk' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const jwt = (payload: object) =>
    `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.e30`

  it.each([
    ['hex', bytes.toString('hex')],
    ['hex with a prefix in a form', `key=0x${bytes.toString('hex').toUpperCase()}`],
    ['base64', bytes.toString('base64')],
    ['base64 in a URL', encodeURIComponent(bytes.toString('base64'))],
    ['base64url in a JWT', jwt({ note: privateKey.d })],
    ['a decimal number', BigInt(`0x${bytes.toString('hex')}`).toString()],
    ['a list of bytes', JSON.stringify([...bytes])],
    ['PEM', pem],
    ['PEM in JSON in a JWT', jwt({ pem })],
    ['a pair with the public key', Buffer.concat([bytes, bytes]).toString('base64url')],
  ])('is found as %s', (_, text) => {
    expect(findPrivateKeyOf(privateKey, [text])).toHaveLength(1)
  })

  it('is not found in public keys, signatures and other keys', () => {
    const { privateKey: other } = createHolder('with another key')
    const texts = [JSON.stringify(publicJwkOf(privateKey)), other.d, jwt({ note: other.d })]
    expect(findPrivateKeyOf(privateKey, texts)).toEqual([])
  })
})

describe('a wallet that fails by itself', () => {
  const says = { reason: '', text: '', json: undefined, source: 'test' }
  const crash: VerbAnswer = { ...says, outcome: 'failed', hasCrashed: true }
  const failure: VerbAnswer = { ...says, outcome: 'failed' }
  const isMarked = (by: string, count: number, answer: VerbAnswer, isValid: boolean) => {
    const wallet = { by } as WalletContext['wallet']
    return 'isOutage' in outageIn({ wallet }, { requests: Array(count) }, { answer, isValid })
  }

  it('is marked if it does not complete a valid message that it has begun', () => {
    expect(isMarked('commands', 1, crash, true)).toBe(true)
    expect(isMarked('HTTP', 1, failure, true)).toBe(true)
    expect(isMarked('HTTP', 0, crash, true)).toBe(true)
  })

  it('is marked at an invalid message only if it is a service that crashed', () => {
    expect(isMarked('HTTP', 1, crash, false)).toBe(true)
    expect(isMarked('HTTP', 1, failure, false)).toBe(false)
  })

  it('is not marked if the command, the person or the patience may be the reason', () => {
    expect(isMarked('commands', 0, crash, true)).toBe(false)
    expect(isMarked('commands', 1, crash, false)).toBe(false)
    expect(isMarked('a person', 1, failure, true)).toBe(false)
    expect(isMarked('HTTP', 1, { ...failure, outcome: 'timed-out' }, true)).toBe(false)
  })
})

describe('the finding about one of several cases', () => {
  const fix = 'Accept a clock that is a minute fast.'

  it('names the case and has its fix', async () => {
    const found = await asCase('A request of a fast clock', Promise.resolve(broken('No.')), fix)
    expect(found).toEqual({ kind: 'broken', reason: 'A request of a fast clock: No.', fix })
  })

  it('does not say what to change without a verdict', async () => {
    const found = await asCase('A request', Promise.resolve(inconclusive('No answer.')), fix)
    expect(found).toEqual({ kind: 'inconclusive', reason: 'A request: No answer.' })
  })

  it('keeps the fix of a finding, also if it ended the check', async () => {
    const better = 'Trust the registries of this run.'
    const ended = (async () => endCheck(broken('No.', { fix: better })))()
    expect(await asCase('A credential', ended, fix)).toMatchObject({ fix: better })
  })
})
