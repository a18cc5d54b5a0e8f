import { createHash } from 'node:crypto'

export interface NormalizerOptions {
  /** Origins of the running testbed, and the origin that an example shows in place of each. */
  readonly origins: ReadonlyMap<string, string>
  /** Roles of the DIDs that are known, for example `Verifier`. */
  readonly roles: ReadonlyMap<string, string>
  /** Unix seconds at which the testbed started. */
  readonly startedAt: number
}

/** Replaces the values of a message that differ from run to run; `name` is the member that has it. */
export type Normalize = (value: unknown, name?: string) => unknown

/** 2026-01-01T00:00:00Z: the time of all examples. */
const exampleTime = 1_767_225_600
/** The times of a run that belong together differ by less; the periods of the profile are longer. */
const timeStep = 300

/** Values that depend on earlier transactions or on the length of encoded times. */
const fixedValues: Readonly<Record<string, readonly (readonly [RegExp, string | number])[]>> = {
  gasLimit: [[/^0x/, '0x4d000']],
  gasUsed: [
    [/^0x/, '0x37000'],
    [/^\d+$/, '890000'],
  ],
  nonce: [[/^0x[0-9a-f]{1,8}$/, '0x4']],
  v: [[/^0x/, '0x1b']],
  blockNumber: [
    [/^0x/, '0x12'],
    [/^\d+$/, 18],
  ],
  statusListIndex: [[/^\d+$/, '4711']],
}
const sameAs: Readonly<Record<string, string>> = { cumulativeGasUsed: 'gasUsed' }

/** Members whose first bytes say what they are: a function, an event, a JWT. */
const keepsBeginning = new Set(['data', 'attributeData', 'event'])

const base58 = '[1-9A-HJ-NP-Za-km-z]+'

/**
 * Creates the function that makes two runs of the same messages identical. Equal values get equal
 * placeholders, so that a reader can follow a nonce from one message to the next. Long values end
 * with `…`.
 */
export function createNormalizer({ origins, roles, startedAt }: NormalizerOptions): Normalize {
  const placeholders = new Map<string, string>()
  const counts = new Map<string, number>()

  /** The placeholder of a value, which depends only on its name and on how many came before. */
  function placeholderOf(key: string, name: string, create: (seed: string) => string): string {
    const known = placeholders.get(key)
    if (known !== undefined) return known
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const placeholder = create(count === 1 ? name : `${name}${count}`)
    placeholders.set(key, placeholder)
    return placeholder
  }

  // Recorded codes are cut after eight characters, so these identify the whole value.
  const token = (value: string, name: string) =>
    placeholderOf(`token ${value.replace('…', '').slice(0, 8)}`, name, (seed) => {
      const hash = createHash('sha256').update(seed).digest('base64url')
      return `${hash.replaceAll(/[_-]/g, 'x').slice(0, 10)}…`
    })

  function hex(value: string, name: string): string {
    const digits = value.replace(/^0x/, '').toLowerCase()
    const prefix = value.startsWith('0x') ? '0x' : ''
    if (keepsBeginning.has(name)) return `${prefix}${digits.slice(0, 8)}…`
    const own = placeholderOf(`hex ${digits.slice(0, 16)}`, name, (seed) =>
      createHash('sha256').update(seed).digest('hex').slice(0, 8),
    )
    // The first byte of an uncompressed point is fixed.
    return name === 'publicKey' ? `${prefix}04${own.slice(2)}…` : `${prefix}${own}…`
  }

  const did = (value: string) =>
    placeholderOf(
      value,
      roles.get(value) ?? 'Organization',
      (role) => `${value.slice(0, value.lastIndexOf(':') + 1)}z1${role}…`,
    )

  const holder = (value: string) =>
    placeholderOf(value, 'Holder', (role) => `${value.slice(0, value[1] === 'Q' ? 5 : 4)}${role}…`)

  const time = (seconds: number) =>
    exampleTime + Math.round((seconds - startedAt) / timeStep) * timeStep

  function jwt(text: string): string {
    const [header = ''] = text.split('.')
    const decoded: unknown = JSON.parse(Buffer.from(header, 'base64url').toString())
    const encoded = Buffer.from(JSON.stringify(normalize(decoded))).toString('base64url')
    return `${encoded.slice(0, 28)}…`
  }

  /** What a value in an address is called: its parameter, or the segment before it. */
  function nameAt(text: string, offset: number, name: string): string {
    const [, parameter, segment, fragment] =
      /(?:([\w-]+)=|([\w-]+)(?:\/|%2F)|(#))$/.exec(text.slice(0, offset)) ?? []
    return parameter ?? segment ?? (fragment === undefined ? name : 'vMethodId')
  }

  function normalizeText(given: string, name: string): string {
    // The multibase prefix and the header of gzip.
    if (name === 'encodedList') return `${given.slice(0, 10)}…`
    const fixed = fixedValues[sameAs[name] ?? name]?.find(([pattern]) => pattern.test(given))
    if (fixed !== undefined) return String(fixed[1])
    let text = given
      .replaceAll('•••', '…')
      .replace(/(?<![\w-])[\w-]{1,8}…/g, (value, offset: number, whole: string) =>
        token(value, nameAt(whole, offset, name)),
      )
      .replace(/(credential_offer=%7B%22credential_issuer%22)[^&\s]*/, '$1…')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]*…?/g, jwt)
    for (const [origin, shown] of origins) {
      text = text
        .replaceAll(origin, shown)
        .replaceAll(encodeURIComponent(origin), encodeURIComponent(shown))
    }
    return text
      .replace(new RegExp(`did(:|%3A)org\\1uc-pre\\1z1${base58}`, 'g'), (value, colon: string) =>
        did(value.replaceAll('%3A', ':')).replaceAll(':', colon),
      )
      .replace(new RegExp(`(?<=did:key:|#)z(?:Q3sh|6Mk)${base58}`, 'g'), holder)
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (value) =>
        placeholderOf(
          value,
          'uuid',
          (seed) => `00000000-0000-4000-8000-${(seed.slice(4) || '1').padStart(12, '0')}`,
        ),
      )
      .replace(/0x[0-9a-fA-F]{40,}|(?<![\w-])[0-9a-f]{64}(?![\w-])/g, (value) => hex(value, name))
      .replace(
        /(?:(?<=%[0-9A-F]{2})|(?<![\w%-]))[\w-]{43,}/g,
        (value, offset: number, whole: string) => token(value, nameAt(whole, offset, name)),
      )
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, (value, fraction?: string) => {
        const iso = new Date(time(Date.parse(value) / 1000) * 1000).toISOString()
        return fraction === undefined ? iso.replace('.000Z', 'Z') : iso
      })
      .replace(/(?<=[?&]valid-at=)\d{10}\b/g, (value) => String(time(Number(value))))
      .replace(/(\/credentials\/status\/\d+#)\d+/, '$14711')
      .replace(/[.-][0-9a-f]{10}(?=@)/, '')
      .replace(/(?<=VATES-)[0-9a-f]{10}(-ONE)?/i, 'C11111111')
  }

  function normalize(value: unknown, name = 'value'): unknown {
    if (typeof value === 'string') return normalizeText(value, name)
    if (typeof value === 'number') {
      if (name === 'blockNumber') return fixedValues.blockNumber?.[1]?.[1]
      return value > 1_500_000_000 && value < 4_000_000_000 ? time(value) : value
    }
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        normalize(item, name === 'topics' && index === 0 ? 'event' : name),
      )
    }
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, normalize(inner, member)]),
    )
  }

  return normalize
}
