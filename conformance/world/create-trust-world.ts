import { createHash } from 'node:crypto'
import { createHolderDid } from '#core/crypto/holder-did.ts'
import {
  createPrivateJwk,
  type PrivateJwk,
  type PublicJwk,
  privateJwkFromHex,
  publicJwkOf,
} from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import type { HolderCurve } from '#core/crypto/suites.ts'
import type { DidDocument, VerificationRelationship } from '#core/did/did-document.ts'
import { verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDidProof, didOfProof } from '#core/did/did-proof.ts'
import { toHex } from '#core/ethereum/account.ts'
import type { CredentialPolicy } from '#core/lear-credential/credential-context.ts'
import { createLearCredential } from '#core/lear-credential/lear-credential.ts'
import {
  createStatusEntry,
  createStatusListCredential,
} from '#core/status-list/status-list-credential.ts'
import { createAccreditation } from '#core/trust/accreditation.ts'
import { createTermsOfUseUrl, type TirAttribute } from '#core/trust/tir-attribute.ts'
import type { Lookup } from '#core/verification/rules.ts'

export interface Party {
  readonly did: string
  readonly kid: string
  readonly privateKey: PrivateJwk
  readonly attributeId: string
}

/**
 * A verification relationship as the registry stores it; both ends included (A-06). Without one the
 * method is only registered: DID documents list it, but it has no purpose (A-08).
 */
interface KeyUse {
  readonly kid: string
  key: PublicJwk
  readonly relationship: VerificationRelationship | undefined
  readonly notBefore: number
  notAfter: number
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const day = 86_400
const year = 365 * day

const digestOf = (text: string) => createHash('sha256').update(text).digest()

export function createHolder(
  label = 'holder',
  curve: HolderCurve = 'secp256k1',
  method: 'key' | 'jwk' = 'key',
) {
  const privateKey = createPrivateJwk(curve, digestOf(label))
  return { ...createHolderDid({ method, publicKey: publicJwkOf(privateKey) }), privateKey }
}

export const mandate = {
  mandator: {
    organizationIdentifier: 'VATES-A12345678',
    organization: 'First Organization',
    commonName: 'Ana Ruiz',
    country: 'ES',
    email: 'ana.ruiz@first.example',
    serialNumber: 'IDCES-12345678Z',
  },
  mandatee: {
    employeeId: 'EMP-1',
    email: 'ana.ruiz@first.example',
    firstName: 'Ana',
    lastName: 'Ruiz',
  },
  power: [{ type: 'domain', domain: 'Org', function: 'Onboarding', action: ['execute'] }],
}

export interface TrustWorldOptions {
  /** Unix seconds; registrations and credentials have dates around it. */
  readonly now?: number
  /** The beginning of `termsOfUse.id`. */
  readonly tirBaseUrl?: string
  /** The world's credential issuer; its status lists are below it. */
  readonly credentialIssuerUrl?: string
  /** The seed of the keys and DIDs of its parties. */
  readonly seed?: string
}

/**
 * A DID registry, a TIR and a status list in memory, with a trust chain and a holder with a valid
 * credential. A test breaks one of them and looks at the result.
 */
export function createTrustWorld({
  now = 1_800_000_000,
  tirBaseUrl = 'https://tir.example/trusted-issuers-registry',
  credentialIssuerUrl = 'https://issuer.example',
  seed = '',
}: TrustWorldOptions = {}) {
  const secretOf = (label: string) => digestOf(`${seed}${label}`)
  const statusListUrl = `${credentialIssuerUrl}/status-lists/1`
  const keyUses = new Map<string, KeyUse[]>()
  const attributes = new Map<
    string,
    { did: string; attribute: Mutable<TirAttribute['attribute']> }
  >()
  const statusLists = new Map<string, string>()
  /** Services that do not answer. */
  const unavailable = new Set<'did-registry' | 'tir' | 'status-list'>()
  /** All requests, in order. */
  const asked: string[] = []

  /** The uses of a DID's keys; the array may be changed. */
  const usesOf = (did: string): KeyUse[] => {
    const uses = keyUses.get(did) ?? []
    keyUses.set(did, uses)
    return uses
  }
  const use = (kid: string, key: PublicJwk, relationship?: VerificationRelationship) => {
    const entry = { kid, key, relationship, notBefore: now - year, notAfter: now + year }
    usesOf(kid.split('#')[0] ?? kid).push(entry)
    return entry
  }
  const createParty = (label: string): Party => {
    const privateKeyHex = toHex(secretOf(label))
    const did = didOfProof(createDidProof(privateKeyHex).proof, 'pre')
    const privateKey = privateJwkFromHex(privateKeyHex)
    const kid = `${did}#${verificationMethodIdOf(privateKey)}`
    use(kid, privateKey, 'authentication')
    use(kid, privateKey, 'assertionMethod')
    return { did, kid, privateKey, attributeId: secretOf(`attribute of ${label}`).toString('hex') }
  }
  const sign = (payload: object, by: Pick<Party, 'kid' | 'privateKey'>, header: object = {}) =>
    signJws({
      header: { alg: 'ES256K', typ: 'JWT', kid: by.kid, ...header },
      payload,
      privateKey: by.privateKey,
    })

  const root = createParty('root')
  const tao = createParty('tao')
  const issuer = createParty('issuer')

  const accreditationOf = (subject: Party, parent: Party, types = ['OrgPortalLearCredential']) =>
    createAccreditation({
      id: `urn:uuid:${subject.attributeId.slice(0, 8)}`,
      issuerDid: parent.did,
      subjectDid: subject.did,
      attributeId: subject.attributeId,
      accreditedFor: [{ types }],
      parentAttributeId: parent.attributeId,
      tirBaseUrl,
      now: now - day,
      validUntil: now + year,
    })
  const publish = (
    subject: Party,
    parent: Party,
    issuerType: 'RTAO' | 'TAO' | 'TI',
    body = sign(accreditationOf(subject, parent), parent),
  ) => {
    const entry = {
      did: subject.did,
      attribute: {
        body,
        hash: subject.attributeId,
        issuerType,
        rootTao: root.did,
        tao: parent.did,
        attributeIdTao: parent.attributeId,
      } as Mutable<TirAttribute['attribute']>,
    }
    attributes.set(`${subject.did} ${subject.attributeId}`, entry)
    return entry
  }
  publish(root, root, 'RTAO')
  publish(tao, root, 'TAO')
  publish(issuer, tao, 'TI')
  const attributeOf = (party: Party) => {
    const entry = attributes.get(`${party.did} ${party.attributeId}`)
    if (!entry) throw new Error('the attribute does not exist')
    return entry
  }

  const publishStatusList = (
    revoked: readonly number[],
    by: Party = issuer,
    url = statusListUrl,
  ) => {
    const validUntil = now + day
    const list = createStatusListCredential({ url, issuerDid: by.did, revoked, now, validUntil })
    statusLists.set(url, sign(list, by))
    return list
  }
  publishStatusList([])

  const documentAt = (did: string, at: number) => createDocument(did, keyUses.get(did) ?? [], at)

  const answer = <Value>(
    service: 'did-registry' | 'tir' | 'status-list',
    what: string,
    value: Value | undefined,
  ): Lookup<Value> => {
    asked.push(`${service} ${what}`)
    if (unavailable.has(service)) {
      return { ok: false, kind: 'unavailable', reason: `the ${service} did not respond` }
    }
    return value === undefined
      ? { ok: false, kind: 'not-found', reason: `the ${service} has no ${what}` }
      : { ok: true, value }
  }

  const holder = createHolder()
  const credentialPayload = (holderDid = holder.did) =>
    createLearCredential({
      id: 'urn:uuid:0b1f1c1e-58a5-4d3a-8a1c-3f9d1f0f7b11',
      issuerDid: issuer.did,
      holderDid,
      mandate,
      termsOfUseUrl: createTermsOfUseUrl(tirBaseUrl, issuer),
      credentialStatus: createStatusEntry({ statusListUrl, index: 7 }),
      now: now - 1000,
      validUntil: now + year,
    })

  const policy: CredentialPolicy = {
    environment: 'pre',
    tirBaseUrl,
    acceptedType: 'OrgPortalLearCredential',
    inheritedTypes: ['VerifiableCredential', 'LEARCredential'],
    rootDids: [root.did],
    credentialIssuerUrls: [credentialIssuerUrl],
    checkStatus: true,
  }

  return {
    now,
    policy,
    root,
    tao,
    issuer,
    holder,
    usesOf,
    statusListUrl,
    statusLists,
    unavailable,
    asked,
    use,
    sign,
    createParty,
    accreditationOf,
    publish,
    attributeOf,
    attributes,
    publishStatusList,
    documentAt,
    credentialPayload,
    issue: (payload: object = credentialPayload(), header: object = {}) =>
      sign(payload, issuer, header),
    sources: {
      resolveDidDocument: async (did: string, validAt?: number) =>
        answer(
          'did-registry',
          `${did}${validAt === undefined ? '' : ` at ${validAt}`}`,
          documentAt(did, validAt ?? now),
        ),
      readAttribute: async (did: string, attributeId: string) =>
        answer<TirAttribute>(
          'tir',
          `${did} ${attributeId}`,
          attributes.get(`${did} ${attributeId}`),
        ),
      fetchStatusList: async (url: string) => answer('status-list', url, statusLists.get(url)),
    },
  }
}

/** The document of a DID at an instant; undefined if no key was ever registered with it. */
function createDocument(did: string, uses: readonly KeyUse[], at: number): DidDocument | undefined {
  if (uses.length === 0) return undefined
  const active = uses.filter(({ notBefore, notAfter }) => notBefore <= at && at <= notAfter)
  const listed = (relationship: VerificationRelationship) =>
    active.filter((entry) => entry.relationship === relationship).map(({ kid }) => kid)
  // All were registered before any requested instant.
  const registered = uses.filter(({ notAfter }) => at <= notAfter)
  const keys = new Map(registered.map(({ kid, key }) => [kid, key]))
  const others = (
    ['keyAgreement', 'capabilityInvocation', 'capabilityDelegation'] as const
  ).flatMap((relationship) => {
    const kids = listed(relationship)
    return kids.length === 0 ? [] : [[relationship, kids] as const]
  })
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: did,
    controller: [`0x${'0'.repeat(40)}`],
    verificationMethod: [...keys].map(([id, key]) => ({
      id,
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: { ...publicJwkOf(key) },
    })),
    assertionMethod: listed('assertionMethod'),
    authentication: listed('authentication'),
    ...Object.fromEntries(others),
  }
}

export type TrustWorld = ReturnType<typeof createTrustWorld>
