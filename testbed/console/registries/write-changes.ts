import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { privateJwkFromHex, privateKeyHexOf } from '#core/crypto/jwk.ts'
import { parseDidOrg, verificationMethodIdOf } from '#core/did/did-org.ts'
import { createDid, createDidProof } from '#core/did/did-proof.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { type Signer, signerOf, toHex } from '#core/ethereum/account.ts'
import { parseAttributeId } from '#core/trust/tir-attribute.ts'
import { createChainClient } from '#kit/chain-client.ts'
import { noTraces } from '#kit/traces.ts'
import { alreadyRegistered } from '#testbed/errors.ts'
import {
  findVerificationMethodId,
  openDidRegistry,
  openTir,
  publishAccreditation,
  readActiveAttribute,
  registerDid,
  writeAttributeMetadata,
  writeDid,
} from '#testbed/registries/write-registries.ts'
import { localTirBaseUrlOf, tirBaseUrlOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import type { OwnDid } from './own-dids.ts'

const refused = (code: string, status: number, message: string) =>
  new TestbedError({ code, status, message })

/** Enough for a person who holds mining to release it: the form offers that while it waits. */
const limitMilliseconds = 120_000
const day = 86_400
const caller = 'console'

/** The public interfaces of an environment's registries, as the command line uses them. */
function openRegistries({ context }: RunningEnvironment) {
  const { chain, localUrls } = context
  // Services record the requests themselves.
  const runtime = { ...context.runtime, traces: noTraces }
  return {
    chain: createChainClient(runtime, { caller, rpcUrl: chain.rpcUrl }),
    didRegistry: openDidRegistry(runtime, { caller, baseUrl: localUrls['did-registry'] }),
    tir: openTir(runtime, {
      caller,
      baseUrl: localTirBaseUrlOf(context),
      apiKey: context.secret('api-key/tir'),
    }),
  }
}

/** A private key that is new, as 0x-hex. */
const createKey = () => toHex(secp256k1.utils.randomSecretKey())

interface RegisterOptions {
  readonly name: string
  readonly alsoKnownAs: string
  readonly days: number
  readonly assertionMethod: boolean
  /** The wallet whose key becomes that of the DID; else a new key. */
  readonly walletId?: string | undefined
}

/**
 * Registers a DID and keeps its key in memory. Returns the private key if it is new.
 * @throws TestbedError of the registry; `unsuitable_key` (409), `already_registered` (409)
 */
export async function registerOwnDid(
  running: RunningEnvironment,
  { ownDids, wallets, runtime }: ConsoleDependencies,
  { name, alsoKnownAs, days, assertionMethod, walletId }: RegisterOptions,
) {
  ownDids.requireSpace()
  const { environment, context } = running
  const wallet = walletId === undefined ? undefined : wallets.find(walletId)
  if (wallet !== undefined && wallet.account.privateKey.crv !== 'secp256k1') {
    const message = 'Only a secp256k1 key can control a DID. Choose another wallet.'
    throw refused('unsuitable_key', 409, message)
  }
  const privateKey = wallet === undefined ? createKey() : privateKeyHexOf(wallet.account.privateKey)
  const created = createDid(privateKey, environment)
  const { did, vMethodId, address } = created
  const { didRegistry, chain } = openRegistries(running)
  if ((await didRegistry.resolve(did)) !== undefined) throw alreadyRegistered(did)
  const notBefore = runtime.clock.seconds()
  const transactions = await registerDid({
    created,
    alsoKnownAs,
    validity: { notBefore, notAfter: notBefore + days * day },
    onboardingNode: context.keys.onboardingNode,
    assertionKey: assertionMethod ? { address, privateKey } : undefined,
    writing: () => ({ didRegistry, chain, limitMilliseconds }),
  })
  ownDids.keep({ did, environment, name, vMethodId, address, privateKey })
  return { did, transactions, ...(wallet === undefined ? { privateKey } : {}) }
}

export type KeyOperation = 'add' | 'roll' | 'expire' | 'revoke'

interface KeyChange {
  readonly did: string
  readonly operation: KeyOperation
  readonly vMethodId?: string | undefined
  readonly days: number
}

/**
 * Changes a key of a DID that the console registered. `add` adds a new key for assertionMethod.
 * Returns the private key of a new key.
 * @throws TestbedError of the registry; `no_key` (409) for another DID
 */
export async function changeKey(
  running: RunningEnvironment,
  { ownDids, runtime }: ConsoleDependencies,
  { did, operation, vMethodId, days }: KeyChange,
) {
  const own = ownDids.find(did)
  if (own === undefined) {
    const message = 'The console does not hold the key of this DID, so it cannot change it.'
    throw refused('no_key', 409, message)
  }
  const { didRegistry, chain } = openRegistries(running)
  const write = (name: string, body: object) =>
    writeDid({ didRegistry, chain, limitMilliseconds }, name, { did, ...body }, own)
  const now = runtime.clock.seconds()
  if (operation === 'expire' || operation === 'revoke') {
    const method = operation === 'expire' ? 'expireVerificationMethod' : 'revokeVerificationMethod'
    const body = { vMethodId: vMethodId ?? own.vMethodId, notAfter: now }
    return { did, transactions: [await write(method, body)] }
  }
  const privateKey = createKey()
  const key = {
    vMethodId: verificationMethodIdOf(privateJwkFromHex(privateKey)),
    publicKeyType: 'secp256k1',
    publicKey: createDidProof(privateKey).publicKey,
  }
  const validity = { notBefore: now, notAfter: now + days * day }
  if (operation === 'roll') {
    const oldVMethodId = vMethodId ?? own.vMethodId
    const body = { ...key, ...validity, oldVMethodId, duration: day }
    const transactions = [await write('rollVerificationMethod', body)]
    if (oldVMethodId === own.vMethodId) {
      const { address } = signerOf(privateKey)
      ownDids.keep({ ...own, vMethodId: key.vMethodId, address, privateKey })
    }
    return { did, transactions, privateKey }
  }
  const use = { name: 'assertionMethod', vMethodId: key.vMethodId, ...validity }
  const transactions = [
    await write('addVerificationMethod', key),
    await write('addVerificationRelationship', use),
  ]
  return { did, transactions, privateKey }
}

/** An organization whose key the testbed has. */
type KnownSigner = Signer & Pick<OwnDid, 'did' | 'attributeId'>

/** The seeded members of the trust chain, then the DIDs of the console. */
export function listSigners(
  { context, environment }: RunningEnvironment,
  { ownDids }: Pick<ConsoleDependencies, 'ownDids'>,
): readonly KnownSigner[] {
  const { rootTao, tao, issuer } = context.keys
  return [rootTao, tao, issuer, ...ownDids.list(environment)]
}

interface AccreditOptions {
  readonly did: string
  readonly issuerType: 'TAO' | 'TI'
  readonly accreditorDid: string
  readonly types: readonly string[]
  readonly days: number
}

/**
 * Accredits a DID as an organization whose key the testbed has.
 * @throws TestbedError of the registry, also for a reverted transaction; `no_key` (409)
 */
export async function accredit(
  running: RunningEnvironment,
  dependencies: ConsoleDependencies,
  { did, issuerType, accreditorDid, types, days }: AccreditOptions,
) {
  if (parseDidOrg(did)?.environment !== running.environment) {
    const message = `${did} is not a DID of the environment ${running.environment}.`
    throw refused('unknown_did', 400, message)
  }
  const accreditor = listSigners(running, dependencies).find((each) => each.did === accreditorDid)
  if (accreditor === undefined) {
    const message = 'The console does not hold the key of the accrediting organization.'
    throw refused('no_key', 409, message)
  }
  const { tir, chain, didRegistry } = openRegistries(running)
  const vMethodId = await findVerificationMethodId(didRegistry, accreditorDid, accreditor)
  const attributeId = randomBytes(32).toString('hex')
  // The contract rejects an organization without its own accreditation, which is worth seeing.
  const own = accreditor.attributeId ?? '0'.repeat(64)
  const now = dependencies.runtime.clock.seconds()
  const { transactions } = await publishAccreditation(
    { tir, chain, limitMilliseconds },
    {
      subject: { did, attributeId },
      issuerType,
      accreditedFor: types,
      accreditor: { ...accreditor, attributeId: own, vMethodId },
      sender: accreditor,
      tirBaseUrl: tirBaseUrlOf(running.context),
      now,
      validUntil: now + days * day,
    },
  )
  const subject = dependencies.ownDids.find(did)
  if (subject !== undefined) dependencies.ownDids.keep({ ...subject, attributeId })
  return { did, attributeId, transactions }
}

/**
 * Revokes an accreditation as the organization that published it, or as the operator.
 * @throws TestbedError of the registry; `unknown_accreditation` (404), `already_revoked` (409)
 */
export async function revokeAccreditation(
  running: RunningEnvironment,
  dependencies: ConsoleDependencies,
  { did, attributeId }: { readonly did: string; readonly attributeId: string },
) {
  const { tir, chain } = openRegistries(running)
  const { attribute } = await readActiveAttribute(tir, did, attributeId)
  const { tao: taoDid } = attribute
  const signer =
    listSigners(running, dependencies).find((each) => each.did === taoDid) ??
    running.context.keys.operator
  const attributeIdTao = parseAttributeId(attribute.attributeIdTao ?? '') ?? '0'.repeat(64)
  const metadata = { did, attributeId, issuerType: 'REVOKED', taoDid, attributeIdTao } as const
  const hash = await writeAttributeMetadata({ tir, chain, limitMilliseconds }, metadata, signer)
  return { did, attributeId, transactions: [hash] }
}
