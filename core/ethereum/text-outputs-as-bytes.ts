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
 * The same ABI with each text that a function returns read as bytes, which have the same encoding.
 * A contract does not check that a text is UTF-8, and decoders of texts throw where it is not.
 */
export function textOutputsAsBytes<const Abi extends readonly object[]>(abi: Abi) {
  return abi.map((entry) =>
    'outputs' in entry ? { ...entry, outputs: asBytes(entry.outputs) } : entry,
  ) as unknown as { readonly [Index in keyof Abi]: TextOutputsAsBytes<Abi[Index]> }
}

function asBytes(value: unknown): unknown {
  if (value === 'string') return 'bytes'
  if (value === 'string[]') return 'bytes[]'
  if (Array.isArray(value)) return value.map(asBytes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asBytes(member)]))
}
