import { type EventMethodUntyped, events } from 'micro-eth-signer/abi.js'
import { checksumAddress, toHex } from './account.ts'

/** The arguments of an event as JSON: numbers as decimal strings, bytes as 0x-hex. */
export type EventArguments = Readonly<Record<string, string | boolean>>

interface DecodedEvent {
  readonly name: string
  readonly args: EventArguments
}

export type EventDecoder = (log: {
  readonly topics: readonly string[]
  readonly data: string
}) => DecodedEvent | undefined

interface AbiInput {
  readonly name: string
  readonly type: string
}

interface AbiEvent {
  readonly type: string
  readonly name: string
  readonly inputs: readonly AbiInput[]
}

/**
 * Creates a decoder for a contract's events in logs; it returns undefined for a log of another
 * event. A contract does not check that strings are UTF-8, so strings are decoded as bytes, and
 * invalid bytes become U+FFFD.
 */
export function createEventDecoder(abi: readonly object[]): EventDecoder {
  const known = new Map(
    abi.filter(isEvent).map((event) => {
      const inputs = event.inputs.map((input) =>
        input.type === 'string' ? { ...input, type: 'bytes' } : input,
      )
      const { method, topic } = methodOf({ ...event, inputs })
      return [methodOf(event).topic, { event, method, topic }]
    }),
  )
  return ({ topics, data }) => {
    const found = known.get(topics[0]?.toLowerCase() ?? '')
    if (found === undefined) return undefined
    const { event, method, topic } = found
    const values = decode(method, [topic, ...topics.slice(1)], data)
    if (values === undefined) return undefined
    const args = event.inputs.map(({ name, type }) => [name, toJson(type, values[name])])
    return { name: event.name, args: Object.fromEntries(args) }
  }
}

function isEvent(entry: object): entry is AbiEvent {
  return (entry as { type?: unknown }).type === 'event'
}

/** Returns the decoder of an event and the topic that identifies it. */
function methodOf(event: AbiEvent): { method: EventMethodUntyped; topic: string } {
  const method = events([event] as never)[event.name] as EventMethodUntyped
  const absent = Object.fromEntries(event.inputs.map(({ name }) => [name, null]))
  return { method, topic: method.topics(absent)[0] ?? '' }
}

function decode(method: EventMethodUntyped, topics: string[], data: string) {
  try {
    return method.decode(topics, data) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function toJson(type: string, value: unknown): string | boolean {
  if (typeof value === 'boolean') return value
  if (value instanceof Uint8Array) {
    return type === 'string' ? new TextDecoder().decode(value) : toHex(value)
  }
  return type === 'address' ? checksumAddress(String(value)) : String(value)
}

type AsBytes<T> = T extends 'string'
  ? 'bytes'
  : T extends 'string[]'
    ? 'bytes[]'
    : T extends object
      ? { readonly [Key in keyof T]: AsBytes<T[Key]> }
      : T

type TextOutputsAsBytes<Entry> = {
  readonly [Key in keyof Entry]: Key extends 'outputs' ? AsBytes<Entry[Key]> : Entry[Key]
}

/**
 * Returns the ABI with each string output of a function replaced by bytes, which have the same
 * encoding. A contract does not check that strings are UTF-8, and string decoders throw for invalid
 * UTF-8.
 */
export function textOutputsAsBytes<const Abi extends readonly object[]>(abi: Abi) {
  return abi.map((entry) =>
    'outputs' in entry ? { ...entry, outputs: asBytes(entry.outputs) } : entry,
  ) as { readonly [Index in keyof Abi]: TextOutputsAsBytes<Abi[Index]> }
}

/** Decodes such bytes; invalid UTF-8 becomes replacement characters. */
export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function asBytes(value: unknown): unknown {
  if (value === 'string') return 'bytes'
  if (value === 'string[]') return 'bytes[]'
  if (Array.isArray(value)) return value.map(asBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asBytes(member)]))
}
