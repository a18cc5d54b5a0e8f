import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transaction, type TransactionLike, type TransactionRequest, type Wallet } from 'ethers'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { createDidRegistryService } from '#services/did-registry/create-did-registry-service.ts'
import { createTirService } from '#services/tir/create-tir-service.ts'
import { type RegistryChain, startRegistryChain } from './chain.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'
import { callJson } from './http.ts'
import { createTestRuntime, onFinished, startService, type TestRuntime } from './services.ts'
import { createTestbedFile } from './small-testbed.ts'

/** The unsigned transaction as the registries print it. */
interface UnsignedTransactionJson {
  readonly to: string
  readonly data: string
  readonly gasLimit: string
  readonly gasPrice: string
  readonly chainId: string
  readonly nonce: string
  readonly value: string
  readonly from: string
}

/** Signs with ethers, as transaction of the given type (0 legacy, 1, 2); members may be replaced. */
export async function signUnsignedTransaction(
  wallet: Wallet,
  unsigned: UnsignedTransactionJson,
  type: 0 | 1 | 2 = 0,
  changes: TransactionLike = {},
): Promise<Transaction> {
  const { from: _from, gasPrice, nonce, ...rest } = unsigned
  const price =
    type === 2 ? { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } : { gasPrice }
  const raw = await wallet.signTransaction({
    ...rest,
    ...price,
    type,
    nonce: Number(nonce),
    ...changes,
  } as TransactionRequest)
  return Transaction.from(raw)
}

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

/** The vMethodId of a key in the form of the API. */
export function vMethodIdOf(key: DidKey): string {
  return Buffer.from(key.vMethodId.slice(2), 'hex').toString('base64url')
}

export const validFrom = Math.floor(Date.now() / 1000) - 3600
export const validUntil = validFrom + 10 * 365 * 24 * 3600

/** The DID registry API on a chain until the test or file ends, with a client that signs by ethers. */
export async function startDidRegistry(
  chain: RegistryChain,
  options: { readonly runtime?: TestRuntime; readonly config?: object } = {},
) {
  const running = await startService((baseUrl) =>
    createDidRegistryService(
      {
        baseUrl,
        chainRpcUrl: chain.rpcUrl,
        didRegistryAddress: chain.registry.address,
        ...options.config,
      },
      options.runtime ?? createTestRuntime(),
    ),
  )
  onFinished(running.stop)
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
    /** Registers a separate DID for each label through the API. */
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
  }
}

export const tirApiKey = 'tir-key-of-the-tests-0123456789'
export const apiKeysOperatorKey = 'operator-key-of-the-tests-0123456789'
export const otherApiKey = 'other-key-of-the-tests-0123456789'

export interface RpcAnswer {
  readonly jsonrpc: string
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/**
 * The TIR API with a separate API key service until the test or file ends, and a client that signs
 * with ethers.
 */
export async function startTir(
  chain: RegistryChain,
  options: { readonly runtime?: TestRuntime; readonly config?: object } = {},
) {
  const apiKeys = await startService((baseUrl) =>
    createApiKeysService(
      {
        baseUrl,
        operatorKey: apiKeysOperatorKey,
        initialKeys: [
          { name: 'operator', scope: 'tir', key: tirApiKey },
          { name: 'somebody', scope: 'issuer', key: otherApiKey },
        ],
      },
      createTestRuntime(),
    ),
  )
  const running = await startService((baseUrl) =>
    createTirService(
      {
        baseUrl,
        chainRpcUrl: chain.rpcUrl,
        tirAddress: chain.tir.address,
        apiKeysUrl: apiKeys.baseUrl,
        ...options.config,
      },
      options.runtime ?? createTestRuntime(),
    ),
  )
  for (const { stop } of [apiKeys, running]) onFinished(stop)
  const baseUrl = `${running.baseUrl}/trusted-issuers-registry`

  /** Posts a string unchanged, any other message as JSON. */
  const post = async <Body = RpcAnswer>(
    message: unknown,
    headers: Record<string, string> = { 'x-api-key': tirApiKey },
  ): Promise<Answer<Body>> => {
    const given = typeof message === 'string' ? { body: message } : { json: message }
    const { status, body } = await callJson(`${baseUrl}/v1/jsonrpc`, { headers, ...given })
    return { status, body }
  }
  const call = async (method: string, ...params: unknown[]): Promise<RpcAnswer> =>
    (await post({ jsonrpc: '2.0', id: 1, method, params })).body
  const build = async (method: string, params: object): Promise<UnsignedTransactionJson> => {
    const { result, error } = await call(method, params)
    if (error !== undefined) throw new Error(error.message)
    return result as UnsignedTransactionJson
  }
  /** params[0] of sendSignedTransaction for a signature by ethers. */
  const sign = async (
    signer: DidKey,
    unsignedTransaction: UnsignedTransactionJson,
    type: 0 | 1 | 2 = 0,
  ) => {
    const signed = await signUnsignedTransaction(signer.wallet, unsignedTransaction, type)
    const signature = signed.signature
    if (signature === null) throw new Error('not signed')
    return {
      protocol: 'eth',
      unsignedTransaction,
      r: signature.r,
      s: signature.s,
      v: `0x${signature.v.toString(16)}`,
      signedRawTransaction: signed.serialized,
    }
  }
  /** Builds, signs and sends; returns the hash of the transaction. */
  const write = async (signer: DidKey, method: string, params: object): Promise<string> => {
    const unsigned = await build(method, { from: signer.address, ...params })
    const { result, error } = await call('sendSignedTransaction', await sign(signer, unsigned))
    if (error !== undefined) throw new Error(error.message)
    return result as string
  }
  const get = async <Body>(path: string): Promise<Answer<Body>> => {
    const { status, body } = await callJson(`${baseUrl}${path}`)
    return { status, body }
  }

  return {
    baseUrl,
    apiKeysUrl: apiKeys.baseUrl,
    post,
    call,
    build,
    sign,
    write,
    get,
    read: (did: string, attributeId: string) =>
      get(`/v1/issuers/${encodeURIComponent(did)}/attributes/${attributeId.replace(/^0x/, '')}`),
  }
}

/** Both registries on one chain, for the commands that operators use. */
export async function startRegistries(options: { readonly didRegistry?: object } = {}) {
  const chain = await startRegistryChain()
  const [didRegistry, tir] = await Promise.all([
    startDidRegistry(chain, { config: options.didRegistry ?? {} }),
    startTir(chain),
  ])
  const accounts = {
    operator: accountOf(chain.operator),
    onboardingNode: accountOf(chain.node),
  }
  return {
    chain,
    didRegistry,
    tir,
    /** The options with which a command uses these registries. */
    addresses: {
      didRegistry: ['--did-registry', didRegistry.baseUrl],
      chain: ['--chain-rpc', chain.rpcUrl],
      tir: ['--tir', tir.baseUrl, '--api-key', tirApiKey],
    },
    /** Writes a `testbed.json` into the data folder below `cwd`, as a running testbed does. */
    writeTestbedFile(cwd: string, trustChain: object = {}): void {
      const testbed = createTestbedFile(didRegistry.baseUrl)
      const { pre } = testbed.environments
      if (pre === undefined) throw new Error('no environment')
      const { rpcUrl } = chain
      testbed.environments.pre = {
        ...pre,
        ...accounts,
        chain: { ...pre.chain, rpcUrl },
        tirBaseUrl: tir.baseUrl,
        apiKeys: { ...pre.apiKeys, tir: tirApiKey },
        trustChain: { ...pre.trustChain, ...trustChain },
      }
      mkdirSync(join(cwd, '.testbed'), { recursive: true })
      writeFileSync(join(cwd, '.testbed/testbed.json'), JSON.stringify(testbed))
    },
  }
}

const accountOf = ({ address, wallet }: DidKey) => ({ address, privateKey: wallet.privateKey })
