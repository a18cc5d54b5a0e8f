import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { type DidEnvironment, didPrefixes, parseDidOrg } from '#core/did/did-org.ts'
import { zAddress, zHash, zHexBytes, zHexQuantity } from '#core/ethereum/account.ts'
import { zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { type ExactNumber, isExactNumber } from '#core/json/exact-number.ts'
import { isJsonObject, membersOf } from '#core/json/json-object.ts'
import { publishedIssuerTypes } from './issuers.ts'

export type RpcId = string | number | ExactNumber | null

interface RpcRequest {
  /** Undefined for a notification, which gets no response. */
  readonly id: RpcId | undefined
  readonly method: string
  readonly params: readonly unknown[] | object | undefined
}

export type RpcRequestResult =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly id: RpcId }

/**
 * Parses one JSON-RPC request object (JSON-RPC 2.0, section 4). An invalid one is answered with its
 * id if that is readable, otherwise with null (section 5).
 *
 * @row 2.endpoints/tir.6
 */
export function parseRpcRequest(value: unknown): RpcRequestResult {
  const id = idOf(value)
  if (!isJsonObject(value)) return { ok: false, id: null }
  const { jsonrpc, method, params } = value
  const isNotification = !Object.hasOwn(value, 'id')
  const hasParams = Object.hasOwn(value, 'params')
  const isRequest =
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    (isNotification || id !== undefined) &&
    (!hasParams || (typeof params === 'object' && params !== null))
  if (!isRequest) return { ok: false, id: id ?? null }
  const given = hasParams ? (params as object) : undefined
  return { ok: true, request: { id: isNotification ? undefined : id, method, params: given } }
}

/** The id of a request object; undefined if it has none of a valid type. */
export function idOf(value: unknown): RpcId | undefined {
  const { id } = membersOf(value)
  const isId = id === null || typeof id === 'string' || typeof id === 'number' || isExactNumber(id)
  return isId ? id : undefined
}

const didOf = (environment: DidEnvironment) =>
  z
    .string()
    .refine(
      (text) => parseDidOrg(text)?.environment === environment,
      `must be a DID that starts with ${didPrefixes[environment]}`,
    )

/**
 * params[0] of setAttributeMetadata (profile/tir, JSON-RPC).
 *
 * @row 2.limits.5
 */
export const zSetAttributeMetadata = (environment: DidEnvironment) =>
  z.object({
    from: zAddress.describe('Address of the signer'),
    did: didOf(environment).describe('The subject that receives the role'),
    revisionId: zHash.describe('Equals the reservedAttributeId of the accreditation'),
    issuerType: z.enum(publishedIssuerTypes),
    taoDid: didOf(environment).describe('The TAO or RTAO that accredits the subject'),
    attributeIdTao: zHash.describe('The attribute of the parent'),
  })

/** params[0] of setAttributeData (profile/tir, JSON-RPC). */
export const zSetAttributeData = (environment: DidEnvironment) =>
  z.object({
    from: zAddress.describe('Address of the signer'),
    did: didOf(environment).describe('The subject'),
    attributeId: zHash.describe('The revisionId used in setAttributeMetadata'),
    attributeData: zHexBytes
      .refine((text) => text.length > 2, 'must contain the accreditation')
      .refine((text) => isUtf8(Buffer.from(text.slice(2), 'hex')), 'must be UTF-8')
      .describe('The accreditation JWT as UTF-8 bytes'),
  })

/** params[0] of sendSignedTransaction (profile/tir, JSON-RPC). */
export const zSendSignedTransaction = z.object({
  protocol: z.literal('eth'),
  unsignedTransaction: zUnsignedTransaction.describe('Exactly as returned'),
  r: zHexQuantity,
  s: zHexQuantity,
  v: zHexQuantity.describe('0 or 1, 27 or 28, or the value of EIP-155'),
  signedRawTransaction: zHexBytes.describe('The serialized signed transaction'),
})

export type SendSignedTransaction = z.infer<typeof zSendSignedTransaction>

const requestOf = (method: string, params: z.ZodType) =>
  z.object({
    jsonrpc: z.literal('2.0'),
    method: z.literal(method),
    params: z.array(params).length(1),
    id: z.union([z.string(), z.number()]).optional().describe('Missing in a notification'),
  })

const zRpcRequest = z.union([
  requestOf('setAttributeMetadata', zSetAttributeMetadata('pre')),
  requestOf('setAttributeData', zSetAttributeData('pre')),
  requestOf('sendSignedTransaction', zSendSignedTransaction),
])

/** A message for the documentation: a request of one of the methods, or a batch. */
export const zRpcMessage = z.union([zRpcRequest, z.array(zRpcRequest).min(1)])

const zId = z.union([z.string().nullable(), z.number()]).describe('As in the request')

/** A response with an error (profile/tir, Endpoints). */
export const zRpcFailure = z.object({
  jsonrpc: z.literal('2.0'),
  id: zId,
  error: z.object({ code: z.int(), message: z.string() }),
})

const zRpcSuccess = z.object({
  jsonrpc: z.literal('2.0'),
  id: zId,
  result: z.union([zUnsignedTransaction, zHash]),
})

const zOne = z.union([zRpcSuccess, zRpcFailure])

/** A response, or the responses to a batch. */
export const zRpcAnswer = z.union([zOne, z.array(zOne)])
