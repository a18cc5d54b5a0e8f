import { tirCalls, toHex } from '../adapters/tir-contract.ts'
import { zSetAttributeData } from '../domain/z-params.ts'
import { parseParams, type RpcMethod } from './rpc-method.ts'

/**
 * Builds the transaction that stores an accreditation (Document 2, TIR, Methods).
 *
 * @row 2.endpoints/tir.11
 */
export const setAttributeData: RpcMethod = async (params, { environment, transactions }) => {
  const input = parseParams(zSetAttributeData(environment), params)
  const data = tirCalls.setAttributeData.encodeInput({
    did: input.did,
    attributeId: Buffer.from(input.attributeId.slice(2), 'hex'),
    attributeData: Buffer.from(input.attributeData.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) })
}
