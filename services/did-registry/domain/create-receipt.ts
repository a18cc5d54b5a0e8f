import { z } from 'zod'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { relationshipNames } from '#core/did/did-document.ts'
import { createEventDecoder, type EventDecoder } from '#core/ethereum/abi.ts'
import { checksumAddress } from '#core/ethereum/account.ts'
import type { TransactionReceipt } from '#kit/chain-client.ts'

const zLog = z.object({
  _type: z.literal('log'),
  address: z.string(),
  blockHash: z.string(),
  blockNumber: z.int(),
  data: z.string(),
  index: z.int(),
  topics: z.array(z.string()),
  transactionHash: z.string(),
  transactionIndex: z.int(),
})

/** The receipt of the send endpoint (profile/transactions, Receipt). */
export const zReceipt = z.object({
  _type: z.literal('TransactionReceipt'),
  blockHash: z.string(),
  blockNumber: z.int(),
  contractAddress: z.string().nullable(),
  cumulativeGasUsed: z.string().describe('Decimal'),
  from: z.string(),
  to: z.string().nullable(),
  gasUsed: z.string().describe('Decimal'),
  hash: z.string().describe('Hash of the transaction'),
  index: z.int(),
  logs: z.array(zLog),
  status: z.int().describe('1 applied, 0 reverted'),
  revertReason: z.string().optional().describe('ABI data of the revert, if the node returns it'),
  revertError: z
    .object({ name: z.string(), args: z.array(z.unknown()) })
    .optional()
    .describe('The decoded revert, if it is an error of the contract'),
})

export type Receipt = z.infer<typeof zReceipt>

/**
 * Converts a node's receipt to the documented format: potentially large numbers as decimal strings,
 * others as numbers, addresses with their checksum.
 *
 * @row 2.resources-and-their-fields/transaction-receipt.1
 */
export function createReceipt(
  receipt: TransactionReceipt,
  revertError?: Receipt['revertError'],
): Receipt {
  const { blockHash, transactionHash, revertReason } = receipt
  const blockNumber = Number(receipt.blockNumber)
  const index = Number(receipt.transactionIndex)
  return {
    _type: 'TransactionReceipt',
    blockHash,
    blockNumber,
    contractAddress: addressOf(receipt.contractAddress),
    cumulativeGasUsed: BigInt(receipt.cumulativeGasUsed).toString(),
    from: checksumAddress(receipt.from),
    to: addressOf(receipt.to),
    gasUsed: BigInt(receipt.gasUsed).toString(),
    hash: transactionHash,
    index,
    logs: receipt.logs.map(({ address, topics, data, logIndex }) => ({
      _type: 'log' as const,
      address: checksumAddress(address),
      blockHash,
      blockNumber,
      data,
      index: Number(logIndex),
      topics: [...topics],
      transactionHash,
      transactionIndex: index,
    })),
    status: Number(receipt.status),
    ...(revertReason === undefined ? {} : { revertReason }),
    ...(revertError === undefined ? {} : { revertError }),
  }
}

function addressOf(address: string | null): string | null {
  return address === null ? null : checksumAddress(address)
}

const decode = createEventDecoder(didRegistryAbi)

const publicKeyTypes = ['secp256k1', 'JsonWebKey2020'] as const

/** Converts event arguments from the contract's format to that of the API. */
const spellings: Readonly<Record<string, (value: string) => string | undefined>> = {
  vMethodId: spellVMethodId,
  oldVMethodId: spellVMethodId,
  relationship: (value) => relationshipNames[Number(value)],
  publicKeyType: (value) => publicKeyTypes[Number(value)],
}

/** Decodes a contract event, with its arguments as in requests and DID documents. */
export const decodeRegistryEvent: EventDecoder = (log) => {
  const event = decode(log)
  if (event === undefined) return undefined
  const args = Object.entries(event.args).map(([name, value]) => [
    name,
    spellings[name]?.(String(value)) ?? value,
  ])
  return { name: event.name, args: Object.fromEntries(args) }
}

function spellVMethodId(hex: string): string {
  return Buffer.from(hex.slice(2), 'hex').toString('base64url')
}
