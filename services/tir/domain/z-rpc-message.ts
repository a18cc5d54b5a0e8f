import { z } from 'zod'
import { zHash } from '#core/ethereum/hex.ts'
import { zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { zSendSignedTransaction, zSetAttributeData, zSetAttributeMetadata } from './z-params.ts'

const requestOf = (method: string, params: z.ZodType) =>
  z.object({
    jsonrpc: z.literal('2.0'),
    method: z.literal(method),
    params: z.array(params).length(1),
    id: z.union([z.string(), z.number()]).optional().describe('Absent in a notification'),
  })

const zRequest = z.union([
  requestOf('setAttributeMetadata', zSetAttributeMetadata('pre')),
  requestOf('setAttributeData', zSetAttributeData('pre')),
  requestOf('sendSignedTransaction', zSendSignedTransaction),
])

/** A message as the documentation shows it: a request of one of the methods, or a batch. */
export const zRpcMessage = z.union([zRequest, z.array(zRequest).min(1)])

const zId = z.union([z.string().nullable(), z.number()]).describe('As in the request')

/** An answer that tells an error (Document 2, TIR). */
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

/** An answer, or those to the members of a batch. */
export const zRpcAnswer = z.union([zOne, z.array(zOne)])
