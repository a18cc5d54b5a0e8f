import { generateKeyPairSync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type Signer, toHex } from '#core/ethereum/account.ts'
import type { UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { endCheck, endedWith, inconclusive } from '../../kit/check.ts'
import { classifyStatus, jsonAsPremise } from '../../kit/classify-answer.ts'
import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'
import type { DidRegistryContext } from './context.ts'

/** An operation with its body and the account that signs it. */
export interface Write {
  readonly operation: string
  readonly body: object
  readonly signer: Signer
}

/** Operations whose bodies the profile does not specify. */
export const unspecifiedOperations = [
  'addController',
  'revokeController',
  'addVerificationRelationship',
]

/** The members of a new raw key. */
export const keyOf = ({ vMethodId, publicKey }: FreshIdentity) => ({
  vMethodId,
  publicKeyType: 'secp256k1',
  publicKey,
})

export interface NewMethod {
  /** By default a new one. */
  readonly vMethodId?: string
  readonly publicKeyType: 'secp256k1' | 'JsonWebKey2020'
  readonly publicKey: string
}

/** Registers a key with an identity's DID; returns its vMethodId. */
export async function addMethod(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  method: NewMethod,
): Promise<string> {
  const { vMethodId = registry.createIdentity().vMethodId } = method
  const body = { did: identity.did, ...method, vMethodId }
  await registry.write('addVerificationMethod', body, identity)
  return vMethodId
}

/** From its first to its last second, in Unix time. */
export interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

export interface Use extends Validity {
  readonly vMethodId?: string
}

/**
 * Lets a key of an identity, by default its control key, make assertions for some time. The profile
 * does not specify the body of this operation: if the registry expects a different one, the check
 * is inconclusive.
 *
 * @assumption A-04
 */
export async function addUse(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  use: Use,
): Promise<string> {
  const { did, vMethodId } = identity
  const body = { did, name: 'assertionMethod', vMethodId, ...use }
  try {
    return await registry.write('addVerificationRelationship', body, identity)
  } catch (error) {
    if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
    endCheck(
      inconclusive(
        `The registry rejects {did, name, vMethodId, notBefore, notAfter, from}, and the profile does not specify the body: ${error.message}`,
      ),
    )
  }
}

/** Builds a transaction that would change the identity's document, for checks of sending. */
export function buildUpdate(
  { client }: DidRegistryUnderTest,
  { did, address: from }: FreshIdentity,
  alsoKnownAs = 'urn:oid:1.2.3:changed',
): Promise<UnsignedTransaction> {
  return client.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
}

/**
 * A base document. The profile leaves open whether the list itself is one as well.
 *
 * @assumption A-02
 */
export const w3cContext = '{"@context":["https://www.w3.org/ns/did/v1"]}'

/**
 * A correct body for each operation below /contract/, with the identity's account as `from`.
 * @param first the new identity for insertFirstDidDocument, and the account that registers it
 */
export function contractBodies(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  now: number,
  first: { readonly identity: FreshIdentity; readonly from: string },
): Record<string, Record<string, unknown>> {
  const { did, vMethodId, address: from } = identity
  const other = registry.createIdentity()
  const { alsoKnownAs, ...document } = registry.firstDocumentOf(identity)
  const validity = { notBefore: now, notAfter: now + 86_400 }
  const key = {
    vMethodId: other.vMethodId,
    publicKeyType: 'secp256k1',
    publicKey: other.publicKey,
  }
  return {
    insertFirstDidDocument: registry.firstDocumentOf(first.identity, { from: first.from }),
    insertDidDocument: { ...document, from },
    updateAlsoKnownAs: { did, alsoKnownAs, from },
    updateBaseDocument: { did, baseDocument: w3cContext, from },
    addController: { did, controller: did, from },
    revokeController: { did, controller: did, from },
    addVerificationMethod: { did, ...key, from },
    addVerificationRelationship: { did, name: 'assertionMethod', vMethodId, ...validity, from },
    revokeVerificationMethod: { did, vMethodId, notAfter: now, from },
    expireVerificationMethod: { did, vMethodId, notAfter: now, from },
    rollVerificationMethod: {
      did,
      ...key,
      ...validity,
      oldVMethodId: vMethodId,
      duration: 60,
      from,
    },
  }
}

/** Correct bodies of the operations, and their subjects. */
export interface PreparedBodies {
  /** Of all operations except insertFirstDidDocument. */
  readonly identity: FreshIdentity
  /** The unregistered identity of insertFirstDidDocument. */
  readonly newcomer: FreshIdentity
  readonly bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Correct bodies about an unregistered DID. If the registry builds nothing for it, they are about a
 * registered one, if the kit can register it.
 */
export async function prepareBodies({
  registry,
  now,
}: Pick<DidRegistryContext, 'registry' | 'now'>): Promise<PreparedBodies> {
  const newcomer = registry.createIdentity()
  const { address: from } = registry.canRegister ? registry.onboardingNode : newcomer
  const prepare = (identity: FreshIdentity) => {
    const bodies = contractBodies(registry, identity, now(), { identity: newcomer, from })
    return { identity, newcomer, bodies }
  }
  const prepared = prepare(newcomer)
  const { updateAlsoKnownAs } = prepared.bodies
  const { status } = await registry.post('contract/updateAlsoKnownAs', updateAlsoKnownAs)
  if (classifyStatus(status) !== 'refused' || !registry.canRegister) return prepared
  const registered = await registry.register().catch((error) => {
    // Operations that build for any DID can be tested anyway.
    if (endedWith(error)) return undefined
    throw error
  })
  return registered ? prepare(registered) : prepared
}

/**
 * Whether a key may make assertions at an instant (Unix seconds), or now: whether assertionMethod
 * contains it, in any form of its id.
 */
export async function isListed(
  registry: DidRegistryUnderTest,
  { did, vMethodId }: Pick<FreshIdentity, 'did' | 'vMethodId'>,
  validAt?: number,
): Promise<boolean> {
  const { assertionMethod } = await registry.requireDocument(did, validAt)
  return assertionMethod.some((id) => id.endsWith(vMethodId))
}

/** A new public key of P-256 as a JWK with `alg`. */
export function createP256Jwk(): Record<string, unknown> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...publicKey.export({ format: 'jwk' }), alg: 'ES256' }
}

/**
 * Raw keys of secp256k1 with a coordinate that is not less than the prime of the field: another
 * spelling of a point, by what is wrong with it.
 */
export function overflowingKeys(): Readonly<Record<string, string>> {
  const { Fp } = secp256k1.Point
  const keyOf = (x: bigint, y: bigint) =>
    `0x04${[x, y].map((word) => word.toString(16).padStart(64, '0')).join('')}`
  for (let y = 1n; ; y += 1n) {
    const cube = Fp.create(y * y - 7n)
    const x = Fp.pow(cube, (Fp.ORDER + 2n) / 9n)
    if (Fp.create(x * x * x) !== cube) continue
    return {
      'a key whose X is larger than the prime': keyOf(Fp.ORDER + 1n, Fp.sqrt(8n)),
      'a key whose Y is larger than the prime': keyOf(x, Fp.ORDER + y),
    }
  }
}

/** A JWK as publicKey of the type JsonWebKey2020: JSON in 0x-hex. */
export function jwkAsHex(jwk: object): string {
  return toHex(Buffer.from(JSON.stringify(jwk)))
}

/**
 * Continues only if a registered DID can be resolved, and returns it: if the registry resolves
 * nothing, its rejections prove nothing.
 */
export async function requireResolving(registry: DidRegistryUnderTest): Promise<string> {
  const did = await registeredDid(registry)
  const resolved = registry.get(`identifiers/${encodeURIComponent(did)}`)
  await jsonAsPremise(`resolving the registered ${did}`, resolved)
  return did
}

/** A DID to read: one from the list, or a new one if the list is empty and the kit may register. */
export async function registeredDid(registry: DidRegistryUnderTest): Promise<string> {
  const { get, canRegister, register } = registry
  const what = 'The list of DIDs (see D54)'
  const { items } = await jsonAsPremise(what, get('identifiers'))
  const listed = [items].flat().map(didOf).find(Boolean)
  const did = listed ?? (canRegister ? (await register()).did : undefined)
  if (did === undefined) endCheck(inconclusive('The registry does not list a DID to resolve.'))
  return did
}

/** The profile does not specify whether an item is a DID or contains one. */
function didOf(item: unknown): string | undefined {
  const did = (item as { did?: unknown } | null | undefined)?.did ?? item
  return typeof did === 'string' ? did : undefined
}
