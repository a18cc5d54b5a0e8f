import { toHex } from '#core/ethereum/account.ts'
import { Decoder, decodeError } from 'micro-eth-signer/abi.js'
import { didRegistryAbi } from './did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from './trusted-issuers-registry-abi.ts'
import { relationshipNames } from '#core/did/did-document.ts'

const bothAbis = [...didRegistryAbi, ...trustedIssuersRegistryAbi]

/** A call of a contract's function, by name, with arguments that can be serialized as JSON. */
export interface NamedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Converts an ABI value to JSON: integers as decimal strings, bytes as 0x-hex. */
export function abiValueToJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(abiValueToJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, abiValueToJson(member)]),
  )
}

/** The decoder returns a single argument without its name, several as an object or an array. */
function argumentsOf(name: string, value: unknown): NamedCall['args'] {
  const isFunction = (each: (typeof bothAbis)[number]) =>
    each.type === 'function' && each.name === name
  const names = (bothAbis.find(isFunction)?.inputs ?? []).map((input) => input.name)
  const values = names.length === 1 ? [value] : Object.values((value ?? {}) as object)
  return Object.fromEntries(names.map((each, index) => [each, abiValueToJson(values[index])]))
}

const anyAddress = `0x${'00'.repeat(20)}`

// Created once: parsing the ABIs takes far longer than decoding a call.
const decoder = new Decoder()
decoder.add(anyAddress, bothAbis as never)

/** Decodes call data for one of the two registries; undefined if neither has the function. */
export function decodeCall(data: string): NamedCall | undefined {
  try {
    const bytes = Buffer.from(data.slice(2), 'hex')
    const found = decoder.decode(anyAddress, bytes, {})
    if (found === undefined || Array.isArray(found)) return undefined
    return { name: found.name, args: argumentsOf(found.name, found.value) }
  } catch {
    // Any bytes can follow a known selector.
    return undefined
  }
}

/**
 * Decodes the error in revert data; undefined if it is neither an error of the two registries nor
 * `Error` or `Panic`. A single argument is returned as a plain value, several as an object.
 */
export function decodeRevert(
  data: string,
): { readonly name: string; readonly args?: unknown } | undefined {
  try {
    const error = decodeError(data, bothAbis as never)
    if (error === undefined) return undefined
    const { name, args } = error
    return { name, ...(args === undefined ? {} : { args: abiValueToJson(args) }) }
  } catch {
    // Any contract may revert with any bytes.
    return undefined
  }
}

/** Names of the contracts' enumeration values, in their order. */
const words: Readonly<Record<string, readonly string[]>> = {
  issuerType: ['NONE', 'ROOT_TAO', 'TAO', 'TI', 'REVOKED'],
  relationship: relationshipNames,
  publicKeyType: ['secp256k1', 'JsonWebKey2020'],
}

/** The name of an enumeration value in an argument of a contract; undefined if it is not one. */
export function enumerationWord(argument: string, value: string): string | undefined {
  return /^\d+$/.test(value) ? words[argument]?.[Number(value)] : undefined
}
