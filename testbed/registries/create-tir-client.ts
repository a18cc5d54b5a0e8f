import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import { type TirAttribute, zTirAttribute } from '#core/trust/z-tir-attribute.ts'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { SignedTransaction } from '../deploy/sign-transaction.ts'
import { parseBuiltTransaction } from './parse-built-transaction.ts'
import { answerRefused, registryRefused } from './registry-errors.ts'

const zRpcAnswer = z.looseObject({
  result: z.unknown(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
})

/**
 * The TIR API as a client has it (document 2); any registry of that API serves. Errors as in
 * `DidRegistryClient`.
 */
export interface TirClient {
  /** Undefined where the TIR has none. `attributeId` is without 0x. */
  readAttribute(did: string, attributeId: string): Promise<TirAttribute | undefined>
  /** Has a transaction built by `setAttributeMetadata` or `setAttributeData`. */
  build(method: string, parameters: object): Promise<UnsignedTransaction>
  /** The hash of the transaction; whether it succeeds is told by the chain's receipt alone. */
  send(unsigned: UnsignedTransaction, signed: SignedTransaction): Promise<string>
}

/** Builds the client of the TIR below `baseUrl`; the API key is for writing. */
export function createTirClient(
  runtime: Runtime,
  options: {
    readonly baseUrl: string
    readonly caller: string
    readonly apiKey?: string | undefined
  },
): TirClient {
  const { baseUrl, caller, apiKey } = options
  const client = createHttpClient(runtime, {
    baseUrl,
    caller,
    dependency: 'trusted issuers registry',
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
  })

  const call = async (method: string, parameters: object): Promise<unknown> => {
    const message = { jsonrpc: '2.0', id: randomUUID(), method, params: [parameters] }
    const answer = await client.postJson('/v1/jsonrpc', message)
    const body = zRpcAnswer.safeParse(answer.json)
    if (!body.success) throw answerRefused(method, answer)
    const { result, error } = body.data
    if (error === undefined && answer.status < 300) return result
    if (error === undefined) throw answerRefused(method, answer)
    throw registryRefused(method, `the registry answered ${error.code} ${error.message}`)
  }

  return {
    async readAttribute(did, attributeId) {
      const { pathname } = new URL(createTermsOfUseUrl('http://tir', { did, attributeId }))
      const answer = await client.getJson(pathname)
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw answerRefused('reading the attribute', answer)
      const attribute = zTirAttribute.safeParse(answer.json)
      if (attribute.success) return attribute.data
      throw registryRefused('reading the attribute', 'the registry answered no attribute')
    },
    build: async (method, parameters) =>
      parseBuiltTransaction(method, parameters, await call(method, parameters)),
    async send(unsignedTransaction, { raw, r, s, v }) {
      const hash = await call('sendSignedTransaction', {
        protocol: 'eth',
        unsignedTransaction,
        r,
        s,
        v,
        signedRawTransaction: raw,
      })
      if (typeof hash === 'string') return hash
      throw registryRefused('sendSignedTransaction', 'the registry answered no hash')
    },
  }
}
