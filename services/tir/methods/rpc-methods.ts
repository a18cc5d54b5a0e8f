import type { RpcMethod } from './rpc-method.ts'
import { sendSignedTransaction } from './send-signed-transaction.ts'
import { setAttributeData } from './set-attribute-data.ts'
import { setAttributeMetadata } from './set-attribute-metadata.ts'

/**
 * The methods by name (Document 2, TIR, Methods).
 *
 * @row 2.what-the-service-does.2
 */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map([
  ['setAttributeMetadata', setAttributeMetadata],
  ['setAttributeData', setAttributeData],
  ['sendSignedTransaction', sendSignedTransaction],
])
