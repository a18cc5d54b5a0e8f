import { z } from 'zod'
import type { TransactionSignature } from '#core/ethereum/sign-transaction.ts'
import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { createTermsOfUseUrl } from '#core/trust/parse-terms-of-use.ts'
import { type TirAttribute, zTirAttribute } from '#core/trust/z-tir-attribute.ts'
import { parseBuiltTransaction } from './parse-built-transaction.ts'
import { answerRefused, registryRefused } from './registry-errors.ts'
import type { RequestRegistry } from './registry-http.ts'

const zRpcAnswer = z.looseObject({
  result: z.unknown().optional(),
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
  send(unsigned: UnsignedTransaction, signed: TransactionSignature): Promise<string>
}

/** Builds the client of a TIR; the API key is for writing. */
export function createTirClient(request: RequestRegistry, apiKey?: string): TirClient {
  let calls = 0
  const call = async (method: string, parameters: object): Promise<unknown> => {
    calls += 1
    const message = { jsonrpc: '2.0', id: calls, method, params: [parameters] }
    const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey }
    const answer = await request('/v1/jsonrpc', { json: message, headers })
    const body = zRpcAnswer.safeParse(answer.json)
    if (!body.success) throw answerRefused(method, answer)
    const { result, error } = body.data
    if (error === undefined && answer.status < 300) return result
    if (error === undefined) throw answerRefused(method, answer)
    const { code, message: said } = error
    throw registryRefused(method, `the registry answered ${code} ${said}`, { error: code })
  }

  return {
    async readAttribute(did, attributeId) {
      const { pathname } = new URL(createTermsOfUseUrl('http://tir', { did, attributeId }))
      const answer = await request(pathname, { headers: { accept: 'application/json' } })
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
