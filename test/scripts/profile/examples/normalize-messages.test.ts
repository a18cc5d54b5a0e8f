import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createNormalizer } from '../../../../scripts/profile/examples/normalize-messages.ts'

const startedAt = 1_795_390_296.4
const create = () =>
  createNormalizer({
    origins: new Map([['http://127.0.0.1:35433', 'https://issuer.example']]),
    roles: new Map([['did:org:uc-pre:z1UYyBYbN2ocKwJq6RyBYpCKTaAX', 'Issuer']]),
    startedAt,
  })
const token = () => randomBytes(32).toString('base64url')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A message as a run has it: every value below differs between two runs. */
function createMessage(delay: number) {
  const [nonce, uuid] = [token(), randomUUID()]
  const hash = randomBytes(32).toString('hex')
  return {
    c_nonce: nonce,
    access_token: `${token().slice(0, 8)}…`,
    request_uri: `http://127.0.0.1:35433/requests/${token()}`,
    link: `openid4vp://?request_uri=http%3A%2F%2F127.0.0.1%3A35433%2Frequests%2F${token()}`,
    location: `/callback?code=${token().slice(0, 8)}…&state=${token()}`,
    revisionId: `0x${hash}`,
    attribute: `http://127.0.0.1:35433/attributes/${hash}`,
    credential_id: `urn:uuid:${uuid}`,
    email: `ana.${uuid.slice(0, 8)}ab@example.org`,
    iat: Math.floor(startedAt) + delay,
    exp: Math.floor(startedAt) + delay + 300,
    path: `/identifiers/did?valid-at=${Math.floor(startedAt) + delay}`,
    update_at: new Date((startedAt + delay) * 1000).toISOString(),
    gasLimit: `0x${randomBytes(3).toString('hex')}`,
    jwt: `${encode({ alg: 'ES256K', nonce })}.${encode({ nonce })}.${token()}`,
    proof: { nonce },
  }
}

describe('the normalizer of examples', () => {
  it('creates the same message in two runs', () => {
    const first = create()(createMessage(0))
    expect(create()(createMessage(40))).toEqual(first)
    expect(JSON.stringify(first)).not.toContain('127.0.0.1')
  })

  it('gives equal values equal placeholders, and different values different ones', () => {
    const normalize = create()
    const one = normalize(createMessage(0)) as ReturnType<typeof createMessage>
    const other = normalize(createMessage(0)) as ReturnType<typeof createMessage>
    expect(one.proof.nonce).toBe(one.c_nonce)
    expect(one.attribute).toBe(`https://issuer.example/attributes/${one.revisionId.slice(2)}`)
    expect(other.c_nonce).not.toBe(one.c_nonce)
    expect(other.credential_id).not.toBe(one.credential_id)
  })

  it('keeps the differences between times', () => {
    const { iat, exp, update_at } = create()(createMessage(20)) as ReturnType<typeof createMessage>
    expect([exp - iat, new Date(iat * 1000).toISOString()]).toEqual([300, update_at])
  })

  it('keeps short strings, small numbers and fixed values of the protocol', () => {
    const message = { token_type: 'Bearer', expires_in: 3600, types: ['OrgPortalLearCredential'] }
    expect(create()(message)).toEqual(message)
  })

  it('names DIDs by their role', () => {
    const did = 'did:org:uc-pre:z1UYyBYbN2ocKwJq6RyBYpCKTaAX'
    expect(create()(did)).toBe('did:org:uc-pre:z1Issuer…')
    expect(create()(`/identifiers/${encodeURIComponent(did)}`)).toBe(
      '/identifiers/did%3Aorg%3Auc-pre%3Az1Issuer…',
    )
  })
})
