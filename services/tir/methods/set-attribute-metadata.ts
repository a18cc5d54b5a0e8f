import { tirCalls, toHex } from '../adapters/tir-contract.ts'
import { issuerTypes } from '../domain/issuer-types.ts'
import { zSetAttributeMetadata } from '../domain/z-params.ts'
import { parseParams, type RpcMethod } from './rpc-method.ts'

/**
 * Builds the transaction that publishes or revokes an attribute (Document 2, TIR, Methods).
 *
 * @row 2.endpoints/tir.10
 */
export const setAttributeMetadata: RpcMethod = async (params, { environment, transactions }) => {
  const input = parseParams(zSetAttributeMetadata(environment), params)
  const data = tirCalls.setAttributeMetadata.encodeInput({
    did: input.did,
    revisionId: Buffer.from(input.revisionId.slice(2), 'hex'),
    issuerType: BigInt(issuerTypes.indexOf(input.issuerType)),
    taoDid: input.taoDid,
    attributeIdTao: Buffer.from(input.attributeIdTao.slice(2), 'hex'),
  })
  return transactions.build({ from: input.from, data: toHex(data) })
}
