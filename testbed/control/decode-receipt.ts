import { Decoder, decodeError } from 'micro-eth-signer/abi.js'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import type { TransactionReceipt } from '#kit/chain-client.ts'
import type { ContractAddresses } from '../deploy/contract-addresses.ts'

/** A value of the ABI as JSON has it: integers as decimal text, bytes as 0x-hex. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]))
}

/** Any contract may revert with any bytes; those that are no error of an ABI have no name. */
function decodeRevert(...given: Parameters<typeof decodeError>) {
  try {
    return decodeError(...given)
  } catch {
    return undefined
  }
}

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
      return [{ name: found.name, address, args: toJson(found.value) }]
    })
  if (receipt.revertReason === undefined) return { events }
  const abi = [...didRegistryAbi, ...trustedIssuersRegistryAbi]
  const error = decodeRevert(receipt.revertReason, abi as never)
  const revertReason = {
    name: error?.name ?? 'unknown',
    data: receipt.revertReason,
    ...(error?.args === undefined ? {} : { args: toJson(error.args) }),
  }
  return { events, revertReason }
}
