import { verifyJWT } from 'did-jwt'
import { type DIDResolver, Resolver } from 'did-resolver'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#kit/log.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { validateCredential } from '#test/support/foreign-verifiers.ts'
import { startTestbed, type Testbed } from '#testbed/start-testbed.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

// What a wallet gets from a whole testbed, read with libraries that share nothing with ours.

let testbed: Testbed
let pre: Environment
beforeAll(async () => {
  testbed = await startTestbed({ log: createLog({ level: 'silent' }) })
  const { pre: environment } = testbed.file.environments
  if (environment === undefined) throw new Error('there is no environment pre')
  pre = environment
  first = await obtain(power)
  document = await resolve(String(first.payload.iss))
})
afterAll(() => testbed.close())

const power = [
  { type: 'domain', domain: 'PORTAL', function: 'Onboarding', action: ['execute', 'read'] },
]

async function obtain(requested: object) {
  const { url, token } = testbed.file.control
  const response = await fetch(`${url}/pre/offers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ power: requested }),
  })
  const { offer_uri } = (await response.json()) as { offer_uri: string }
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const resolveDidDocument = createDidResolver(wallet.http, () => pre.didRegistryBaseUrl)
  const [accepted] = await acceptOffer(wallet, offer_uri, { resolveDidDocument })
  const { credential } = accepted?.credential ?? { credential: '' }
  return {
    credential,
    holderDid: wallet.account.did,
    header: decodeProtectedHeader(credential),
    payload: decodeJwt<{ vc: Vc }>(credential),
  }
}

interface Vc {
  readonly '@context': readonly string[]
  readonly id: string
  readonly type: readonly string[]
  readonly issuer: string
  readonly validFrom: string
  readonly validUntil: string
  readonly termsOfUse: { readonly id: string }
  readonly credentialSubject: {
    readonly id: string
    readonly mandate: {
      readonly mandatee: { readonly employeeId: string }
      readonly power: readonly object[]
    }
  }
}

interface DidDocument {
  readonly id: string
  readonly verificationMethod: readonly { readonly id: string; readonly publicKeyJwk: object }[]
  readonly assertionMethod: readonly string[]
}

async function resolve(did: string): Promise<DidDocument> {
  const response = await fetch(
    `${pre.didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}`,
    { headers: { accept: 'application/did+ld+json' } },
  )
  return (await response.json()) as DidDocument
}

interface Attribute {
  readonly did: string
  readonly attribute: {
    readonly body: string
    readonly hash: string
    readonly issuerType: string
    readonly tao: string
    readonly attributeIdTao: string
  }
}

const readAttribute = async (url: string) => (await (await fetch(url)).json()) as Attribute

let first: Awaited<ReturnType<typeof obtain>>
let document: DidDocument

describe('a credential from the running testbed', () => {
  it('I54 is signed with a key that is in assertionMethod now: did-jwt verifies it', async () => {
    const kid = String(first.header.kid)
    expect(['ES256K', 'EdDSA']).toContain(first.header.alg)
    expect(document.assertionMethod).toContain(kid)
    const answerWithRegistry: DIDResolver = async (did) => ({
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
      didDocumentMetadata: {},
      didDocument: (await resolve(did)) as never,
    })
    const resolver = new Resolver({ org: answerWithRegistry })
    const verified = await verifyJWT(first.credential, {
      resolver,
      proofPurpose: 'assertionMethod',
    })
    expect(verified.signer.id).toBe(kid)
    const tampered = first.credential.replace(/.\.([^.]*)$/, '_.$1')
    await expect(verifyJWT(tampered, { resolver })).rejects.toThrow()
  })

  it("I54 names its key by the thumbprint that jose makes of the registry's", async () => {
    const kid = String(first.header.kid)
    const method = document.verificationMethod.find(({ id }) => id === kid)
    expect(await calculateJwkThumbprint(method?.publicKeyJwk ?? {})).toBe(kid.split('#')[1])
  })

  // @row 1.versioning.1
  it('I55 I56 has the context of the data model first and the whole chain of types', () => {
    const { vc } = first.payload
    expect(vc['@context'][0]).toBe('https://www.w3.org/ns/credentials/v2')
    expect(vc.type).toEqual(['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'])
  })

  it('I57 I58 names one issuer, and the holder who proved the key', () => {
    const { vc, iss, sub } = first.payload
    expect(vc.issuer).toBe(iss)
    expect(String(first.header.kid).split('#')[0]).toBe(iss)
    expect(sub).toBe(first.holderDid)
    expect(vc.credentialSubject.id).toBe(first.holderDid)
  })

  it('I59 is valid now, by times that agree', () => {
    const { vc, nbf, iat, exp } = first.payload
    const now = Math.floor(Date.now() / 1000)
    expect(Date.parse(vc.validFrom) / 1000).toBe(nbf)
    expect(Date.parse(vc.validUntil) / 1000).toBe(exp)
    expect(iat).toBe(nbf)
    expect(nbf).toBeLessThanOrEqual(now)
    expect(exp).toBeGreaterThan(now)
  })

  it('I60 I61 I65 stands in the TIR of its environment under a chain to the RTAO', async () => {
    const { vc, iss } = first.payload
    expect(vc.termsOfUse.id.startsWith(`${pre.tirBaseUrl}/v1/issuers/`)).toBe(true)
    let read = await readAttribute(vc.termsOfUse.id)
    expect(read.did).toBe(iss)
    const seen: string[] = []
    for (let hop = 0; hop < 8; hop++) {
      const { attribute } = read
      seen.push(attribute.issuerType)
      const body = decodeJwt<{
        vc: { credentialSubject: { accreditedFor: { types: string[] }[] } }
      }>(attribute.body)
      const types = body.vc.credentialSubject.accreditedFor.flatMap((entry) => entry.types)
      expect(types).toContain('OrgPortalLearCredential')
      if (attribute.issuerType === 'RTAO') break
      const parent = attribute.attributeIdTao.replace(/^0x/, '')
      read = await readAttribute(
        `${pre.tirBaseUrl}/v1/issuers/${attribute.tao}/attributes/${parent}`,
      )
    }
    expect(seen).toEqual(['TI', 'TAO', 'RTAO'])
  })

  it('I62 I63 grants the requested powers to an employee', () => {
    const { mandate } = first.payload.vc.credentialSubject
    expect(mandate.power).toEqual(power)
    expect(mandate.mandatee.employeeId).toMatch(/\S/)
  })

  it('I64 I66 has an identifier of its own', async () => {
    const second = await obtain(power)
    const ids = [first, second].map(({ payload }) => payload.vc.id)
    expect(ids).toEqual([first.payload.jti, second.payload.jti])
    for (const id of ids) {
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    }
    expect(new Set(ids).size).toBe(2)
  })

  it('is valid against the JSON Schema that it names, in ajv', async () => {
    expect(await validateCredential(first.credential)).toEqual([])
  })
})

describe('many wallets at once', () => {
  it('50 wallets redeem 50 offers in parallel, and all succeed', async () => {
    const obtained = await Promise.all(Array.from({ length: 50 }, () => obtain(power)))
    expect(new Set(obtained.map(({ payload }) => payload.jti)).size).toBe(50)
    for (const { payload, holderDid } of obtained) expect(payload.sub).toBe(holderDid)
  })
})
