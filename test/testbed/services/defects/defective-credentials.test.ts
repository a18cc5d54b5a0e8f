import { describe, expect, it } from 'vitest'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { zDidDocument } from '#core/did/did-document.ts'
import {
  credentialRules,
  verifyLearCredential,
} from '#core/lear-credential/verify-lear-credential.ts'
import { accreditationRules } from '#core/trust/accreditation-rules.ts'
import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import { environmentTrust } from '#scenarios/fixtures/environment-trust.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { explain } from '#testbed/library/explain.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'

async function ask<Value>(
  url: string,
  accept: string,
  read: (text: string) => Value,
): Promise<Lookup<Value>> {
  const response = await fetch(url, { headers: { accept } })
  const text = await response.text()
  if (response.status === 200) return { ok: true, value: read(text) }
  const kind = response.status === 404 ? 'not-found' : 'unavailable'
  return { ok: false, kind, reason: `status ${response.status}` }
}

/** The look-ups of a verification, answered by the running registries of an environment. */
function createRegistryLookups({ didRegistryBaseUrl, tirBaseUrl }: Environment): Lookups {
  return {
    resolveDidDocument: (did, validAt) =>
      ask(
        `${didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}${
          validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
        }`,
        'application/did+ld+json',
        (text) => zDidDocument.parse(JSON.parse(text)),
      ),
    readAttribute: (did, attributeId) =>
      ask(createTermsOfUseUrl(tirBaseUrl, { did, attributeId }), 'application/json', (text) =>
        zTirAttribute.parse(JSON.parse(text)),
      ),
    fetchStatusList: (url) => ask(url, 'application/vc+jwt', (text) => text.trim()),
  }
}

const shared = shareTestbed()
const control = (json?: object) =>
  shared.control('/pre/defective-credentials', json === undefined ? {} : { json })

const openWallet = () => createWallet({ http: { allowPrivateAddresses: true } })
const whatever = { broken: 'accept' } as const

async function brokenRules(credential: string, holderDid: string): Promise<readonly string[]> {
  const { failures } = await verifyLearCredential({
    credential,
    holderDid,
    policy: {
      environment: 'pre',
      tirBaseUrl: shared.pre.tirBaseUrl,
      acceptedType: 'OrgPortalLearCredential',
      inheritedTypes: ['VerifiableCredential', 'LEARCredential'],
      rootDids: [shared.pre.trustChain.rootTao.did],
      credentialIssuerUrls: [shared.pre.issuerBaseUrl],
      checkStatus: true,
    },
    now: Math.floor(Date.now() / 1000),
    ...createRegistryLookups(shared.pre),
  })
  return [...new Set(failures.map(({ rule }) => rule))].sort()
}

describe('a credential with one named defect', () => {
  it.each(allDefects)('$name breaks only $rule and the rules that it entails', async (defect) => {
    const holder = openWallet().account.did
    const { status, body } = await control({ defect: defect.name, holder_did: holder })
    expect(status).toBe(200)
    const expected = [...(defect.rule ? [defect.rule] : []), ...(defect.entails ?? [])].sort()
    const { credential } = body
    expect(await brokenRules(credential, holder)).toEqual(expected)
    const explanation = await explain(credential, { testbed: shared.file, holderDid: holder })
    // By itself, what has not the form of a credential is not known to be one.
    const isUnknown = explanation.verdict === 'unrecognised'
    const failed = explanation.rules.filter(({ verdict }) => verdict !== 'held')
    const rules = isUnknown ? ['credential.format'] : failed.map(({ rule }) => rule)
    expect([...new Set(rules)].sort()).toEqual(expected)
  })

  it('exists in at least 25 kinds, which break every rule', async () => {
    const defects = allDefects.filter(({ rule }) => rule !== undefined)
    expect(defects.length).toBeGreaterThanOrEqual(25)
    expect(new Set(allDefects.map(({ name }) => name)).size).toBe(allDefects.length)
    const broken = new Set(defects.map(({ rule }) => rule))
    // In the chain a TI cannot accredit anyone, and the chain knows each attribute's parent and length.
    const unreachable = ['trust.role']
    const rules = [...credentialRules, ...accreditationRules].map(({ rule }) => rule)
    expect(rules.filter((rule) => !broken.has(rule) && !unreachable.includes(rule))).toEqual([])
  })

  it('is listed with the rule that it breaks', async () => {
    const { status, body } = await control()
    expect(status).toBe(200)
    const { defects } = body as { defects: { name: string; rule: string | null }[] }
    expect(defects.map(({ name }) => name)).toEqual(allDefects.map(({ name }) => name))
    expect(defects.find(({ name }) => name === 'expired')).toEqual({
      name: 'expired',
      description: expect.any(String),
      rule: 'credential.expiry',
      entails: [],
    })
    expect(defects.find(({ name }) => name === 'high-s-signature')?.rule).toBeNull()
  })
})

describe('the offer of a defective credential', () => {
  it.each(['bad-signature', 'parent-revoked', 'revoked', 'no-jwt'])(
    'delivers %s to any client that collects it, in the normal flow',
    async (name) => {
      const { body } = await control({ defect: name, by: 'reference' })
      expect(body).not.toHaveProperty('credential')
      const wallet = openWallet()
      const { offer_uri } = body
      const trust = environmentTrust({ environment: shared.pre }, wallet)
      const [accepted] = await acceptOffer(wallet, offer_uri, { ...trust, policy: whatever })
      const defect = allDefects.find((each) => each.name === name)
      expect(accepted?.verdict.failures.map(({ rule }) => rule)).toEqual([defect?.rule])
      expect(accepted?.verdict.unchecked).toEqual([])
      expect(await brokenRules(accepted?.credential.credential ?? '', wallet.account.did)).toEqual([
        defect?.rule,
      ])
    },
  )

  it('delivers a credential for a named holder only to that holder', async () => {
    const wallet = openWallet()
    const order = { defect: 'expired', holder_did: wallet.account.did }
    const { body } = await control(order)
    const { offer_uri, credential } = body
    await expect(acceptOffer(openWallet(), offer_uri)).rejects.toMatchObject({
      code: 'credential_refused',
    })
    const { body: again } = await control(order)
    const [accepted] = await acceptOffer(wallet, again.offer_uri, {
      policy: whatever,
    })
    expect(new Set(accepted?.verdict.failures.map(({ rule }) => rule))).toEqual(
      new Set(['credential.expiry']),
    )
    expect(credential).toMatch(/^ey/)
  })

  it('can require a PIN and be deferred like any other offer', async () => {
    const { body } = await control({
      defect: 'context-order',
      tx_code: { length: 5 },
      deferred_seconds: 0,
    })
    const { offer_uri, pin } = body
    expect(pin).toMatch(/^\d{5}$/)
    const accepted = await acceptOffer(openWallet(), offer_uri, {
      getPin: () => pin,
      deferral: { intervalMilliseconds: 1 },
      policy: whatever,
    })
    expect(accepted).toHaveLength(1)
  })

  it('is rejected for unknown defects and invalid requests', async () => {
    expect((await control({ defect: 'none-such' })).status).toBe(404)
    expect((await control({ defect: 'expired', organization_identifier: 'x' })).status).toBe(404)
    for (const json of [{}, { defect: 7 }, { defect: 'expired', holder_did: 'x' }]) {
      expect((await control(json)).status).toBe(400)
    }
  })
})
