/** A suite: its key as a JWK, its prefix in a did:key, and who may sign with it. */
interface Suite {
  readonly kty: 'EC' | 'OKP' | 'RSA'
  readonly crv?: string
  /** Multicodec code of the public key as an unsigned varint; required for a did:key. */
  readonly multicodec?: readonly [number, number]
  /** Whether keys in the DID registry sign with it: issuers, verifiers and TAOs. */
  readonly registered: boolean
  /** Whether holders sign with it: by default, or only if it is configured. */
  readonly holder?: 'default' | 'optional'
}

/**
 * Every signature suite by its JWS algorithm (RFC 7518, RFC 8037, RFC 8812). A key matches only one
 * suite. All code that accepts, creates or lists algorithms uses this table.
 */
export const suites = {
  ES256K: {
    kty: 'EC',
    crv: 'secp256k1',
    multicodec: [0xe7, 0x01],
    registered: true,
    holder: 'default',
  },
  ES256: {
    kty: 'EC',
    crv: 'P-256',
    multicodec: [0x80, 0x24],
    registered: true,
    holder: 'optional',
  },
  EdDSA: {
    kty: 'OKP',
    crv: 'Ed25519',
    multicodec: [0xed, 0x01],
    registered: true,
    holder: 'default',
  },
  RS256: { kty: 'RSA', registered: false },
} as const satisfies Readonly<Record<string, Suite>>

type Suites = typeof suites

/** The JWS algorithms that this project signs or verifies with. */
export type SigningAlgorithm = keyof Suites

/** The suites that holders can use. */
export type HolderSuite = {
  [Name in SigningAlgorithm]: Suites[Name] extends { readonly holder: string } ? Name : never
}[SigningAlgorithm]

/** The suites that holders use by default. */
export type DefaultHolderSuite = {
  [Name in SigningAlgorithm]: Suites[Name] extends { readonly holder: 'default' } ? Name : never
}[SigningAlgorithm]

/** Names of holders' curves as in the `crv` member of a JWK. */
export type HolderCurve = Suites[HolderSuite]['crv']

const names = Object.keys(suites) as SigningAlgorithm[]
const suiteOf = (name: SigningAlgorithm): Suite => suites[name]
const isHolderSuite = (name: SigningAlgorithm): name is HolderSuite =>
  suiteOf(name).holder !== undefined

/** The suites of keys in the DID registry; the key determines which one. */
export const registeredSuites: readonly SigningAlgorithm[] = names.filter(
  (name) => suiteOf(name).registered,
)

/**
 * The suites that holders can sign with, if issuers and verifiers are configured to accept them.
 */
export const holderSuites: readonly HolderSuite[] = names.filter(isHolderSuite)

/** The suites that holders may sign with by default (profile/wallet, Keys). */
export const defaultHolderSuites: readonly DefaultHolderSuite[] = holderSuites.filter(
  (name): name is DefaultHolderSuite => suiteOf(name).holder === 'default',
)

export const holderCurves: readonly HolderCurve[] = holderSuites.map((name) => suites[name].crv)

/**
 * Returns the suite of a key, only from its `kty` and `crv`; undefined if no suite matches.
 * Verification compares the header's `alg` with it, which prevents algorithm confusion.
 */
export function algorithmOf(jwk: {
  readonly kty: string
  readonly crv?: string
}): SigningAlgorithm | undefined {
  return names.find((name) => {
    const { kty, crv } = suiteOf(name)
    return jwk.kty === kty && (crv === undefined || jwk.crv === crv)
  })
}

/** Returns the suite of a holder's key; undefined for a key that holders cannot use. */
export function holderSuiteOf(jwk: Parameters<typeof algorithmOf>[0]): HolderSuite | undefined {
  return holderSuites.find((name) => name === algorithmOf(jwk))
}
