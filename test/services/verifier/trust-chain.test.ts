import { describe, expect, it } from 'vitest'
import type { Party, TrustWorld } from '#conformance/world/create-trust-world.ts'
import { issueWithVc, presentToVerifier, startVerifier } from '#test/support/verifier.ts'

/** Puts a body into the TIR as a subject's accreditation. */
function publishBody(world: TrustWorld, subject: Party, body: string) {
  world.attributeOf(subject).attribute.body = Buffer.from(body).toString('base64url')
}

/** A member below the TAO, above the issuer. */
function insertTao(world: TrustWorld): Party {
  const between = world.createParty('between')
  world.publish(between, world.tao, 'TAO')
  world.publish(world.issuer, between, 'TI')
  return between
}

const otherTypes = ['OtherCredential']

const cases: readonly [string, string[], (world: TrustWorld) => string | undefined][] = [
  [
    'V37 a TAO further up is revoked',
    ['trust.not-revoked'],
    (world) => {
      insertTao(world)
      world.attributeOf(world.tao).attribute.issuerType = 'REVOKED'
      return undefined
    },
  ],
  [
    'V40 the accreditation is the TAO’s, which is valid, past the issuer’s own that is revoked',
    ['credential.terms-of-use'],
    (world) => {
      world.attributeOf(world.issuer).attribute.issuerType = 'REVOKED'
      const { did, attributeId } = world.tao
      const id = `${world.policy.tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId}`
      return issueWithVc(world, { termsOfUse: { id } })
    },
  ],
  [
    'V42 the issuer is accredited for more than its TAO (A-18)',
    ['trust.accredited-for'],
    (world) => {
      const { tao, root } = world
      publishBody(world, tao, world.sign(world.accreditationOf(tao, root, otherTypes), root))
      return undefined
    },
  ],
  [
    'a subject that widens its own accreditation, signed by itself under the kid of its TAO (A-18)',
    ['trust.signature'],
    (world) => {
      const { issuer, tao } = world
      const widened = world.accreditationOf(issuer, tao, ['OrgPortalLearCredential', 'Any'])
      const body = world.sign(widened, { kid: tao.kid, privateKey: issuer.privateKey })
      publishBody(world, issuer, body)
      return undefined
    },
  ],
  [
    'a subject that widens its own accreditation in its own name (A-18)',
    ['trust.signature'],
    (world) => {
      const { issuer } = world
      publishBody(world, issuer, world.sign(world.accreditationOf(issuer, issuer), issuer))
      return undefined
    },
  ],
  [
    "a subject that shows the accreditation that its TAO made for another one's attribute (A-18)",
    ['trust.subject', 'trust.attribute-id'],
    (world) => {
      const { tao } = world
      const wider = world.createParty('a wider one')
      publishBody(world, world.issuer, world.sign(world.accreditationOf(wider, tao), tao))
      return undefined
    },
  ],
  [
    'a subject that points past a revoked parent, in a registry that knows the parent (A-18)',
    ['trust.not-revoked'],
    (world) => {
      const between = insertTao(world)
      world.attributeOf(between).attribute.issuerType = 'REVOKED'
      // The body names the parent's TAO; the registry's word counts.
      const { issuer, tao } = world
      const payload = world.accreditationOf(issuer, between)
      const { termsOfUse } = world.accreditationOf(issuer, tao).vc
      const body = world.sign({ ...payload, vc: { ...payload.vc, termsOfUse } }, between)
      publishBody(world, issuer, body)
      return undefined
    },
  ],
  [
    'a subject that points past a revoked parent, in a registry that does not know it (A-18)',
    ['trust.parent'],
    (world) => {
      const between = insertTao(world)
      world.attributeOf(between).attribute.issuerType = 'REVOKED'
      const { issuer, tao } = world
      delete world.attributeOf(issuer).attribute.attributeIdTao
      const payload = world.accreditationOf(issuer, between)
      const { termsOfUse } = world.accreditationOf(issuer, tao).vc
      const body = world.sign({ ...payload, vc: { ...payload.vc, termsOfUse } }, between)
      publishBody(world, issuer, body)
      return undefined
    },
  ],
  [
    'an issuer below one that may only issue',
    ['trust.role'],
    (world) => {
      world.attributeOf(insertTao(world)).attribute.issuerType = 'TI'
      return undefined
    },
  ],
  [
    'an issuer that calls itself the root (A-18)',
    ['trust.root'],
    (world) => {
      const { issuer } = world
      world.publish(issuer, issuer, 'RTAO')
      return undefined
    },
  ],
  [
    'a cycle (A-18)',
    ['trust.cycle'],
    (world) => {
      const [one, other] = [world.createParty('one'), world.createParty('other')]
      world.publish(one, other, 'TAO')
      world.publish(other, one, 'TAO')
      world.publish(world.issuer, one, 'TI')
      return undefined
    },
  ],
  [
    'nine hops (A-18)',
    ['trust.length'],
    (world) => {
      let parent = world.tao
      for (let hop = 0; hop < 6; hop++) {
        const member = world.createParty(`member ${hop}`)
        world.publish(member, parent, 'TAO')
        parent = member
      }
      world.publish(world.issuer, parent, 'TI')
      return undefined
    },
  ],
]

// @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8 1.errors.13
describe('an issuer whose accreditation does not lead to a trusted root', () => {
  it.each(cases)('%s', async (_name, expected, change) => {
    const verifier = await startVerifier()
    const credential = change(verifier.world) ?? verifier.world.issue()
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    expect([status, rules]).toEqual(['FAILED', expected])
  })

  it.each([
    ['V39 the other environment', (id: string) => id.replace('tir.example', 'tir-pro.example')],
    ['V39 a DID of the other environment', (id: string) => id.replace('uc-pre', 'uc')],
    ['V41 an attributeId that is not hex', (id: string) => id.replace(/.$/, 'g')],
    ['V41 an attributeId that is too short', (id: string) => id.slice(0, -1)],
    ['V35 an attribute that does not exist', (id: string) => id.replace(/.{4}$/, '0000')],
  ])('%s is named as what it is, with nobody elsewhere asked', async (name, change) => {
    const verifier = await startVerifier()
    const { world } = verifier
    const id = change(world.credentialPayload().vc.termsOfUse.id)
    const credential = issueWithVc(world, { termsOfUse: { id } })
    const { status, rules } = await presentToVerifier(verifier, (_form, request) =>
      verifier.presentationFor(request, { credential }),
    )
    const exists = name.startsWith('V35')
    expect([status, rules]).toEqual([
      'FAILED',
      [exists ? 'trust.attribute' : 'credential.terms-of-use'],
    ])
    const asked = verifier.servers.requests.filter((path) => path.includes('/attributes/'))
    expect(asked).toHaveLength(exists ? 1 : 0)
  })
})

describe('an issuer eight hops below the root', () => {
  it('is accredited, and the explanation shows each hop with its rules', async () => {
    const verifier = await startVerifier()
    const { world } = verifier
    let parent = world.tao
    for (let hop = 0; hop < 5; hop++) {
      const member = world.createParty(`member ${hop}`)
      world.publish(member, parent, 'TAO')
      parent = member
    }
    world.publish(world.issuer, parent, 'TI')
    const { status, explanation } = await presentToVerifier(verifier)
    expect(status).toBe('SUCCESS')
    expect(explanation?.trust_chain.map(({ issuer_type }) => issuer_type)).toEqual([
      'TI',
      ...Array.from({ length: 6 }, () => 'TAO'),
      'RTAO',
    ])
    const signatures = explanation?.checked.filter(({ rule }) => rule === 'trust.signature')
    expect(signatures?.map(({ path, passed }) => [path, passed])).toEqual(
      Array.from({ length: 8 }, (_, hop) => [`hops[${hop}]`, true]),
    )
  })
})
