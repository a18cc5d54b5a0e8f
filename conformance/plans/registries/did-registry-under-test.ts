import { randomBytes } from 'node:crypto'
import type { DidDocument } from '#core/did/did-document.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { createDid } from '#core/did/did-proof.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { type Signer, toHex } from '#core/ethereum/account.ts'
import {
  createDidRegistryClient,
  type DidRegistryClient,
  type SentTransaction,
  submitDidTransaction,
} from '#core/registries/did-registry-client.ts'
import { isDifferentTransaction } from '#core/registries/errors.ts'
import type { RequestRegistry } from '#core/registries/registry-request.ts'
import type { HttpAnswer, HttpClient } from '#scenarios/harness/http-client.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import { awaitChainReceipt, describeRevert } from './chain-receipts.ts'
import { requireVerdict } from './findings.ts'
import { signTyped } from './raw-transactions.ts'

/** A new key with its DID. */
export interface FreshIdentity extends Signer {
  readonly did: string
  readonly vMethodId: string
  /** Uncompressed, as 0x-hex. */
  readonly publicKey: string
  /** The output of the DID generation tool. */
  readonly proof: string
}

/**
 * Creates an identity that no registry knows: each run of a check has its own. Its identifier never
 * begins with a zero byte, as one in 256 would. D122 tests those; a registry that rejects them would
 * fail every check at random.
 */
export function createFreshIdentity(environment: DidEnvironment): FreshIdentity {
  for (;;) {
    const privateKey = toHex(randomBytes(32))
    const created = createDid(privateKey, environment)
    if (!created.did.includes(':z11')) return { ...created, privateKey }
  }
}

/** How the kit's clients of both registries reach the registry under test. */
export function createRequestRegistry(http: HttpClient, baseUrl: string): RequestRegistry {
  return async (path, request) => requireVerdict(await http.request(`${baseUrl}${path}`, request))
}

export interface DidRegistryAddress {
  readonly baseUrl: string
  readonly environment: DidEnvironment
  /** The address of receipts, for a chain that is slower than the registry waits. */
  readonly chainRpcUrl?: string | undefined
  readonly onboardingNode?: Signer | undefined
}

/** The result of a write that must have no effect. */
export interface Attempt {
  readonly isApplied: boolean
  /** The observed result, to follow its subject: `was mined and reverted`. */
  readonly observed: string
  /** The registry neither accepted nor rejected it: its response is not the documented one. */
  readonly isMalformed?: boolean
}

/** A DID registry for a client with keys. */
export interface DidRegistryUnderTest {
  /** The path is below `/api/v1/`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  /** Sends a string or bytes unchanged, anything else as JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  readonly client: DidRegistryClient
  /** Creates an identity that no registry knows. */
  createIdentity(): FreshIdentity
  /** Body of insertFirstDidDocument; members may be replaced. */
  firstDocumentOf(identity: FreshIdentity, changes?: object): Record<string, unknown>
  /** Whether there is an account that may register. */
  readonly canRegister: boolean
  /** The account that may register; a check that uses it needs `onboarding-node`. */
  readonly onboardingNode: Signer
  /**
   * Registers a new identity; members of the body may be replaced. Ends a check as inconclusive
   * if the registry rejects it: the profile does not specify how its tool makes proofs.
   *
   * @assumption A-01
   */
  register(changes?: object): Promise<FreshIdentity>
  /** Builds, signs, sends; ends the check if that is not applied. Returns the hash. */
  write(operation: string, body: object, signer: Signer): Promise<string>
  /** The same for a write that must have no effect. */
  attempt(operation: string, body: object, signer: Signer): Promise<Attempt>
  /** Waits until the chain has mined a transaction that the registry answered with 206. */
  settle(sent: SentTransaction): Promise<SentTransaction>
  resolve(did: string, validAt?: number): Promise<DidDocument | undefined>
  /** As {@link resolve}, and the document must exist. */
  requireDocument(did: string, validAt?: number): Promise<DidDocument>
}

/** How to reach a registry and its chain. */
export interface RegistryClients {
  readonly http: HttpClient
  readonly chainHttp: HttpClient
}

const day = 86_400

/**
 * How a write ended that its registry rejected. A call with other values than requested is not a
 * rejection: most clients sign it.
 */
export function rejectionOf(error: unknown): Attempt {
  if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
  if (isDifferentTransaction(error)) endCheck(broken(error.message))
  // A rejection has a 4xx, or the error of JSON-RPC. The client reports any other form as 502.
  const isMalformed =
    error.extra.error === undefined && (error.status < 400 || error.status === 502)
  const observed = isMalformed ? 'was answered in the wrong form' : 'was rejected'
  return { isApplied: false, isMalformed, observed: `${observed} (${error.message})` }
}

/** Opens the DID registry under test for one check. */
export function createDidRegistryUnderTest(
  { http, chainHttp }: RegistryClients,
  { baseUrl, environment, chainRpcUrl, ...target }: DidRegistryAddress,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): DidRegistryUnderTest {
  const client = createDidRegistryClient(createRequestRegistry(http, baseUrl))
  const onboardingNode = () => {
    if (target.onboardingNode !== undefined) return target.onboardingNode
    throw new TypeError('A check that registers DIDs must declare the need onboarding-node')
  }

  /** A pending transaction ends as its receipt says. */
  const settle = async (sent: SentTransaction): Promise<SentTransaction> => {
    if (sent.state !== 'pending') return sent
    if (chainRpcUrl === undefined) {
      endCheck(
        inconclusive(
          'The chain is slower than the registry waits (206). Add chain.rpcUrl to the target so that the kit can read receipts',
        ),
      )
    }
    const chain = { http: chainHttp, rpcUrl: chainRpcUrl, signal }
    const { status, revertReason } = await awaitChainReceipt(sent.hash, chain)
    return { hash: sent.hash, state: status === '0x1' ? 'applied' : 'reverted', revertReason }
  }
  const submit = async (operation: string, body: object, signer: Signer) =>
    settle(
      await submitDidTransaction({ didRegistry: client, sign: signTyped }, operation, body, signer),
    )

  const registry: DidRegistryUnderTest = {
    get: (path, headers = {}) => http.request(`${baseUrl}/api/v1/${path}`, { headers }),
    post: (path, body, headers = {}) =>
      http.request(`${baseUrl}/api/v1/${path}`, {
        method: 'POST',
        body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    client,
    createIdentity: () => createFreshIdentity(environment),
    firstDocumentOf: ({ did, vMethodId, proof, publicKey }, changes = {}) => ({
      did,
      vMethodId,
      proof,
      publicKeyType: 'secp256k1',
      publicKey,
      notBefore: now() - day,
      notAfter: now() + 365 * day,
      alsoKnownAs: 'urn:oid:organizationIdentifier:VATES-A12345678',
      ...changes,
    }),
    canRegister: target.onboardingNode !== undefined,
    get onboardingNode() {
      return onboardingNode()
    },
    async register(changes) {
      const identity = createFreshIdentity(environment)
      const body = registry.firstDocumentOf(identity, changes)
      const writing = registry.write('insertFirstDidDocument', body, onboardingNode())
      await asPremise('Registering a DID (see D01)', writing)
      return identity
    },
    async write(operation, body, signer) {
      const { hash, state, revertReason } = await submit(operation, body, signer)
      if (state === 'applied') return hash
      const error = describeRevert(revertReason)
      const reason = `${operation} was mined and reverted (receipt status 0) ${error}`.trim()
      endCheck(broken(reason, { verdictSource: 'status of the receipt', expected: 1, actual: 0 }))
    },
    async attempt(operation, body, signer) {
      try {
        const { state } = await submit(operation, body, signer)
        return state === 'applied'
          ? { isApplied: true, observed: 'was applied (receipt status 1)' }
          : { isApplied: false, observed: 'was mined and reverted (receipt status 0)' }
      } catch (error) {
        return rejectionOf(error)
      }
    },
    settle,
    resolve: (did, validAt) => client.resolve(did, validAt),
    async requireDocument(did, validAt) {
      const document = await client.resolve(did, validAt)
      if (document !== undefined) return document
      const when = validAt === undefined ? '' : ` at ${validAt}`
      const fix = 'Resolve a DID as soon as its registration is mined (see D01).'
      endCheck(broken(`${did} does not resolve${when} after it was registered`, { fix }))
    },
  }
  return registry
}
