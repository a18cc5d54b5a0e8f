import { Decoder } from 'micro-eth-signer/abi.js'
import { z } from 'zod'
import { abiValueToJson, decodeRevert } from '#core/contracts/decode-abi.ts'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import type { TransactionReceipt } from '#kit/chain-client.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ContractAddresses } from '#testbed/registries/deploy-contracts.ts'
import { type ControlDependencies, findEnvironment } from '../dependencies.ts'
import { unknownTransaction } from '../errors.ts'

export const readTransaction = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/transactions/:hash',
  summary: 'Get the effects of a transaction: receipt, events by name, and why it reverted',
  auth: 'control',
  request: {
    params: z.object({ env: z.string(), hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }),
  },
  responses: {
    200: {
      description: 'The transaction; the receipt of a pending transaction is null',
      body: z.object({
        hash: z.string(),
        receipt: z.unknown(),
        events: z.array(z.unknown()),
        revertReason: z.unknown().optional(),
      }),
    },
  },
  errors: ['invalid_request', 'unknown_environment', 'unknown_transaction'],
  async handle({ params: { env, hash } }, dependencies) {
    const { chain, context } = findEnvironment(dependencies, env)
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null) {
      return { status: 200, body: { hash, receipt, ...decodeReceipt(receipt, context.chain) } }
    }
    if ((await chain.request('eth_getTransactionByHash', [hash])) === null) {
      throw unknownTransaction()
    }
    return { status: 200, body: { hash, receipt, events: [] } }
  },
})

/**
 * Decodes the effects of a transaction: its events by name with their arguments, and the named
 * error of a revert. Omits events of other contracts.
 */
export function decodeReceipt(receipt: TransactionReceipt, addresses: ContractAddresses) {
  const { didRegistryAddress, tirAddress } = addresses
  const decoder = new Decoder()
  decoder.add(didRegistryAddress, didRegistryAbi as never)
  decoder.add(tirAddress, trustedIssuersRegistryAbi as never)
  const ours = [didRegistryAddress, tirAddress].map((address) => address.toLowerCase())
  const events = receipt.logs
    .filter(({ address }) => ours.includes(address.toLowerCase()))
    .flatMap(({ address, topics, data }) => {
      const found = decoder.decodeEvent(address, [...topics], data, {})
      if (found === undefined || Array.isArray(found)) return []
      return [{ name: found.name, address, args: abiValueToJson(found.value) }]
    })
  if (receipt.revertReason === undefined) return { events }
  const error = decodeRevert(receipt.revertReason)
  const revertReason = { name: 'unknown', data: receipt.revertReason, ...error }
  return { events, revertReason }
}
