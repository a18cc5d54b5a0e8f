import { Decoder } from 'micro-eth-signer/abi.js'
import { abiValueToJson, decodeRevert } from '#core/contracts/decode-abi.ts'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import type { TransactionReceipt } from '#kit/chain-client.ts'
import type { ContractAddresses } from '../deploy/contract-addresses.ts'

/**
 * Tells what happened in a transaction: its events by name with their arguments, and by which named
 * error it reverted. Events of other contracts are left out.
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
