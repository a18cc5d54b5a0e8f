import { zDidRegistryConfig } from '#services/did-registry/config.ts'
import { createDidRegistryService } from '#services/did-registry/create-did-registry-service.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'
import { createTestRuntime, type TestRuntime } from './create-test-runtime.ts'
import {
  signUnsignedTransaction,
  type UnsignedTransactionJson,
} from './sign-unsigned-transaction.ts'
import type { RegistryChain } from './start-registry-chain.ts'
import { startService } from './start-service.ts'

export interface JsonAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface SendAnswer {
  readonly tx_hash: string
  readonly receipt: {
    readonly status: number
    readonly logs: readonly { readonly topics: readonly string[] }[]
    readonly revertError?: { readonly name: string; readonly args: readonly unknown[] }
    readonly [member: string]: unknown
  } | null
}

export interface DidDocumentJson {
  readonly id: string
  readonly controller: readonly string[]
  readonly verificationMethod: readonly {
    readonly id: string
    readonly type: string
    readonly publicKeyJwk: Readonly<Record<string, string>>
  }[]
  readonly assertionMethod: readonly string[]
  readonly [member: string]: unknown
}

/** The vMethodId of a key as the API takes it. */
export function vMethodIdOf(key: DidKey): string {
  return Buffer.from(key.vMethodId.slice(2), 'hex').toString('base64url')
}

export const validFrom = Math.floor(Date.now() / 1000) - 3600
export const validUntil = validFrom + 10 * 365 * 24 * 3600

/** The DID registry API on a chain, with a client that signs by ethers. */
export async function startDidRegistry(
  chain: RegistryChain,
  options: { readonly runtime?: TestRuntime; readonly config?: object } = {},
) {
  const running = await startService((baseUrl) =>
    createDidRegistryService(
      zDidRegistryConfig.parse({
        baseUrl,
        chainRpcUrl: chain.rpcUrl,
        didRegistryAddress: chain.registry.address,
        ...options.config,
      }),
      options.runtime ?? createTestRuntime(),
    ),
  )
  const { baseUrl } = running
  const request = async <Body>(path: string, init?: RequestInit): Promise<JsonAnswer<Body>> => {
    const answer = await fetch(`${baseUrl}${path}`, init)
    const text = await answer.text()
    const body = text === '' ? undefined : JSON.parse(text)
    return { status: answer.status, headers: answer.headers, body }
  }
  const post = <Body>(path: string, body: unknown) =>
    request<Body>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const get = <Body>(path: string, headers: Record<string, string> = {}) =>
    request<Body>(path, { headers })
  const build = (operation: string, body: object) =>
    post<UnsignedTransactionJson>(`/api/v1/contract/${operation}`, body)
  const sendRaw = (signedRawTransaction: string) =>
    post<SendAnswer>('/api/v1/transactions/send', { signedRawTransaction })

  /** Builds, signs and sends; `from` is the signer. */
  const write = async (signer: DidKey, operation: string, body: object, type: 0 | 1 | 2 = 0) => {
    const built = await build(operation, { ...body, from: signer.address })
    if (built.status !== 200) throw new Error(JSON.stringify(built.body))
    const signed = await signUnsignedTransaction(signer.wallet, built.body, type)
    return sendRaw(signed.serialized)
  }

  const firstDocumentOf = (key: DidKey, changes: object = {}) => ({
    did: key.did,
    vMethodId: vMethodIdOf(key),
    proof: key.proof,
    publicKeyType: 'secp256k1',
    publicKey: key.publicKey,
    notBefore: validFrom,
    notAfter: validUntil,
    alsoKnownAs: 'urn:oid:organizationIdentifier:VATES-A12345678',
    from: chain.node.address,
    ...changes,
  })

  return {
    baseUrl,
    request,
    get,
    post,
    build,
    sendRaw,
    write,
    firstDocumentOf,
    /** A DID of its own for each label, registered through the API. */
    register: async (label: string, changes: object = {}): Promise<DidKey> => {
      const key = createDidKey(label)
      const { body } = await write(
        chain.node,
        'insertFirstDidDocument',
        firstDocumentOf(key, changes),
      )
      if (body.receipt?.status !== 1) throw new Error(JSON.stringify(body))
      return key
    },
    resolve: (did: string, query = '') =>
      get<DidDocumentJson>(`/api/v1/identifiers/${encodeURIComponent(did)}${query}`),
    stop: () => running.stop(),
  }
}

export type DidRegistryClient = Awaited<ReturnType<typeof startDidRegistry>>
