import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { createEventDecoder, type EventDecoder } from '#core/ethereum/abi.ts'
import { relationshipNames } from './did-document.ts'

const decode = createEventDecoder(didRegistryAbi)

const publicKeyTypes = ['secp256k1', 'JsonWebKey2020'] as const

/** How this API spells what an event holds in the contract's form. */
const spellings: Readonly<Record<string, (value: string) => string | undefined>> = {
  vMethodId: spellVMethodId,
  oldVMethodId: spellVMethodId,
  relationship: (value) => relationshipNames[Number(value)],
  publicKeyType: (value) => publicKeyTypes[Number(value)],
}

/** Reads an event of the contract, its arguments spelled as in requests and DID documents. */
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
