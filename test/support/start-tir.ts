import { zApiKeysConfig } from '#services/api-keys/config.ts'
import { createApiKeysService } from '#services/api-keys/create-api-keys-service.ts'
import { zTirConfig } from '#services/tir/config.ts'
import { createTirService } from '#services/tir/create-tir-service.ts'
import type { DidKey } from './create-did-key.ts'
import { createTestRuntime, type TestRuntime } from './create-test-runtime.ts'
import {
  signUnsignedTransaction,
  type UnsignedTransactionJson,
} from './sign-unsigned-transaction.ts'
import type { RegistryChain } from './start-registry-chain.ts'
import { startService } from './start-service.ts'

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

/** The TIR API with an API key service of its own, and a client that signs by ethers. */
export async function startTir(
  chain: RegistryChain,
  options: { readonly runtime?: TestRuntime; readonly config?: object } = {},
) {
  const apiKeys = await startService((baseUrl) =>
    createApiKeysService(
      zApiKeysConfig.parse({
        baseUrl,
        operatorKey: apiKeysOperatorKey,
        initialKeys: [
          { name: 'operator', scope: 'tir', key: tirApiKey },
          { name: 'somebody', scope: 'issuer', key: otherApiKey },
        ],
      }),
      createTestRuntime(),
    ),
  )
  const running = await startService((baseUrl) =>
    createTirService(
      zTirConfig.parse({
        baseUrl,
        chainRpcUrl: chain.rpcUrl,
        tirAddress: chain.tir.address,
        apiKeysUrl: apiKeys.baseUrl,
        ...options.config,
      }),
      options.runtime ?? createTestRuntime(),
    ),
  )
  const baseUrl = `${running.baseUrl}/trusted-issuers-registry`

  /** Posts a message as it is, or as JSON where it is no text. */
  const post = async <Body = RpcAnswer>(
    message: unknown,
    headers: Record<string, string> = { 'x-api-key': tirApiKey },
  ): Promise<Answer<Body>> => {
    const answer = await fetch(`${baseUrl}/v1/jsonrpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
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
  /** Builds, signs and sends: the hash of the transaction. */
  const write = async (signer: DidKey, method: string, params: object): Promise<string> => {
    const unsigned = await build(method, { from: signer.address, ...params })
    const { result, error } = await call('sendSignedTransaction', await sign(signer, unsigned))
    if (error !== undefined) throw new Error(error.message)
    return result as string
  }
  const get = async <Body>(path: string): Promise<Answer<Body>> => {
    const answer = await fetch(`${baseUrl}${path}`)
    return { status: answer.status, body: (await answer.json()) as Body }
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
    async stop() {
      await running.stop()
      await apiKeys.stop()
    },
  }
}

export type TirClient = Awaited<ReturnType<typeof startTir>>
