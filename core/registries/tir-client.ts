import { z } from 'zod'
import { type Signer, toHex } from '#core/ethereum/account.ts'
import {
  signTransaction,
  type TransactionSignature,
  type UnsignedTransaction,
} from '#core/ethereum/transaction.ts'
import { plainIssues } from '#core/json/plain-issues.ts'
import { createTermsOfUseUrl, type TirAttribute, zTirAttribute } from '#core/trust/tir-attribute.ts'
import { answerRefused, registryRefused } from './errors.ts'
import {
  buildAgainWhenStale,
  parseBuiltTransaction,
  type RequestRegistry,
} from './registry-request.ts'

const zRpcAnswer = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
})

/**
 * A client of the TIR API (the profile), for any registry with that API. Errors as in
 * `DidRegistryClient`.
 */
export interface TirClient {
  /** Undefined if the TIR does not have it. `attributeId` is without 0x. */
  readAttribute(did: string, attributeId: string): Promise<TirAttribute | undefined>
  /** Requests an unsigned transaction by `setAttributeMetadata` or `setAttributeData`. */
  build(method: string, parameters: object): Promise<UnsignedTransaction>
  /** Returns the hash of the transaction. Only the chain's receipt shows whether it succeeds. */
  send(unsigned: UnsignedTransaction, signed: TransactionSignature): Promise<string>
}

/** Creates the client of a TIR. Writing requires the API key. */
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
    throw registryRefused(method, `the registry returned ${code} ${said}`, { error: code })
  }

  return {
    async readAttribute(did, attributeId) {
      const { pathname } = new URL(createTermsOfUseUrl('http://tir', { did, attributeId }))
      const answer = await request(pathname, { headers: { accept: 'application/json' } })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw answerRefused('reading the attribute', answer)
      const attribute = zTirAttribute.safeParse(answer.json, plainIssues)
      if (attribute.success) return attribute.data
      const problems = attribute.error.issues.map(({ path, message }) =>
        [path.join('.'), message].join(' ').trim(),
      )
      throw registryRefused(
        'reading the attribute',
        `the registry did not return an attribute: ${problems.join('; ')}`,
      )
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
      throw registryRefused('sendSignedTransaction', 'the registry did not return a hash')
    },
  }
}

export interface SubmitAttributeOptions {
  readonly tir: TirClient
  /** Called before signing. If it throws, nothing is sent. */
  readonly onUnsigned?: ((transaction: UnsignedTransaction) => void) | undefined
}

export interface AttributeMetadata {
  readonly did: string
  /** 64 hex digits without 0x, here and below. */
  readonly attributeId: string
  readonly issuerType: 'ROOT_TAO' | 'TAO' | 'TI' | 'REVOKED'
  readonly taoDid: string
  readonly attributeIdTao: string
}

export interface AttributeData {
  readonly did: string
  readonly attributeId: string
  /** The accreditation. */
  readonly jwt: string
}

/**
 * Publishes or revokes an attribute by setAttributeMetadata: builds, signs and sends a transaction
 * (profile/README, The parts). Repeats this if another transaction took the nonce. Returns the
 * transaction's hash; its receipt shows whether it succeeded.
 *
 * @row 2.what-the-service-does.3
 * @throws TestbedError `registry_refused`, `wrong_signer`
 */
export function submitAttributeMetadata(
  options: SubmitAttributeOptions,
  { did, attributeId, issuerType, taoDid, attributeIdTao }: AttributeMetadata,
  signer: Signer,
): Promise<string> {
  const ids = { revisionId: `0x${attributeId}`, attributeIdTao: `0x${attributeIdTao}` }
  return submit(options, 'setAttributeMetadata', { did, issuerType, taoDid, ...ids }, signer)
}

/**
 * Stores the accreditation's JWT by setAttributeData; otherwise as {@link submitAttributeMetadata}.
 *
 * @row 2.what-the-service-does.3
 */
export function submitAttributeData(
  options: SubmitAttributeOptions,
  { did, attributeId, jwt }: AttributeData,
  signer: Signer,
): Promise<string> {
  const attributeData = toHex(Buffer.from(jwt))
  const parameters = { did, attributeId: `0x${attributeId}`, attributeData }
  return submit(options, 'setAttributeData', parameters, signer)
}

function submit(
  { tir, onUnsigned }: SubmitAttributeOptions,
  method: string,
  parameters: object,
  signer: Signer,
): Promise<string> {
  return buildAgainWhenStale(async () => {
    const unsigned = await tir.build(method, { from: signer.address, ...parameters })
    onUnsigned?.(unsigned)
    return tir.send(unsigned, signTransaction(unsigned, signer.privateKey))
  })
}
