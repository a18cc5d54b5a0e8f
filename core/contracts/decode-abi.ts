import { Decoder, decodeError } from 'micro-eth-signer/abi.js'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'

const bothAbis = [...didRegistryAbi, ...trustedIssuersRegistryAbi]

/** A contract's function by its name; the arguments are fit for JSON. */
export interface NamedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A value of the ABI as JSON has it: integers as decimal text, bytes as 0x-hex. */
export function abiValueToJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return value.map(abiValueToJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, abiValueToJson(member)]),
  )
}

/** A single argument comes without its name, several as an object or an array. */
function argumentsOf(name: string, value: unknown): NamedCall['args'] {
  const isFunction = (each: (typeof bothAbis)[number]) =>
    each.type === 'function' && each.name === name
  const names = (bothAbis.find(isFunction)?.inputs ?? []).map((input) => input.name)
  const values = names.length === 1 ? [value] : Object.values((value ?? {}) as object)
  return Object.fromEntries(names.map((each, index) => [each, abiValueToJson(values[index])]))
}

/** What call data asks one of the two registries to do; undefined where neither has the function. */
export function decodeCall(data: string): NamedCall | undefined {
  const decoder = new Decoder()
  const anyAddress = `0x${'00'.repeat(20)}`
  decoder.add(anyAddress, bothAbis as never)
  try {
    const bytes = Buffer.from(data.slice(2), 'hex')
    const found = decoder.decode(anyAddress, bytes, {})
    if (found === undefined || Array.isArray(found)) return undefined
    return { name: found.name, args: argumentsOf(found.name, found.value) }
  } catch {
    // Anybody can write any bytes after a known selector.
    return undefined
  }
}

/**
 * The error that revert data tells; undefined where it is none of the two registries', and no
 * `Error` or `Panic`. A single argument comes as it is, several as an object.
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
