import { describe, expect, it } from 'vitest'
import type { TrustWorld } from '#conformance/world/create-trust-world.ts'
import { createPrivateJwk } from '#core/crypto/jwk.ts'
import { presentToVerifier, startVerifier } from '#test/support/verifier.ts'

const unlisted = ['credential.issuer-key', 'credential.signature']

/**
 * A key of the issuer's beside the one that signs its status list. The world's credentials have an
 * iat 1000 seconds ago; `from` and `to` are seconds ago too.
 */
function addKey(
  { issuer, now, use }: TrustWorld,
  { from = 5000, to = -5000, relationship = 'assertionMethod' as const } = {},
) {
  const privateKey = createPrivateJwk('secp256k1', Buffer.alloc(32, 7))
  const kid = `${issuer.did}#${'a'.repeat(43)}`
  const entry = use(kid, privateKey, relationship)
  Object.assign(entry, { notBefore: now - from, notAfter: now - to })
  return { kid, privateKey, entry }
}

// @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6
describe("the issuer's key when the credential was signed", () => {
  const cases: readonly [
    string,
    { from?: number; to?: number; relationship?: 'assertionMethod' },
    readonly string[],
  ][] = [
    ['V30 revoked, notAfter before iat', { to: 1001 }, unlisted],
    ['V31 revoked, but notAfter is after iat, however long ago', { to: 999 }, []],
    ['V31 revoked, and notAfter is iat itself', { to: 1000 }, []],
    ['not valid yet when it signed, valid now', { from: 999 }, ['credential.issuer-key']],
    ['valid from the second of iat on', { from: 1000 }, []],
  ]
  it.each(cases)('%s', async (_name, window, expected) => {
    const verifier = await startVerifier()
    const { world } = verifier
    const key = addKey(world, window)
    const credential = world.sign(world.credentialPayload(), key)
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([status, rules]).toEqual([expected.length === 0 ? 'SUCCESS' : 'FAILED', expected])
  })

  it.each(['authentication', 'capabilityInvocation', 'keyAgreement', undefined] as const)(
    'V29 was listed with the relationship %s alone, and signs no credentials',
    async (relationship) => {
      const verifier = await startVerifier()
      const { world } = verifier
      const { entry, ...key } = addKey(world)
      Object.assign(entry, { relationship })
      const credential = world.sign(world.credentialPayload(), key)
      const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
        verifier.presentationFor(request, { credential }),
      )
      expect([status, rules]).toEqual(['FAILED', ['credential.issuer-key']])
    },
  )

  it('V28 is of a DID that nobody registered', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    const stranger = world.createParty('stranger')
    for (const use of world.keyUses.filter(({ kid }) => kid === stranger.kid)) {
      world.keyUses.splice(world.keyUses.indexOf(use), 1)
    }
    const payload = world.credentialPayload()
    const vc = { ...payload.vc, issuer: stranger.did }
    const credential = world.sign({ ...payload, iss: stranger.did, vc }, stranger)
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([status, rules]).toEqual([
      'FAILED',
      [
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.signature',
        'credential.terms-of-use',
        'credential.status',
      ],
    ])
  })

  it('V31 is told in the explanation where it has ended since', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    const credential = world.sign(world.credentialPayload(), addKey(world, { to: 500 }))
    const { explanation } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    const key = explanation?.checked.find(({ rule }) => rule === 'credential.issuer-key')
    expect([key?.passed, key?.notes.length]).toEqual([true, 1])
    expect(explanation?.lookups.map(({ what }) => what)).toContain(
      `${world.issuer.did} valid-at ${world.now - 1000}`,
    )
  })
})
