import { zDidDocument } from '#core/did/did-document.ts'
import { type DidEnvironment, didPrefixes } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { FailedLookup, Lookup } from '#core/verification/rules.ts'
import type { WalletHttp, WalletResponse } from '../http/create-wallet-http.ts'

/** What a holder knows of the environment that credentials are judged in. */
export interface TrustEnvironment {
  readonly environment: DidEnvironment
  /** The environment's TIR, `…/trusted-issuers-registry`. */
  readonly tirBaseUrl: string
  /** DIDs of the roots of trust. */
  readonly rootDids: readonly string[]
  /** Bases below which status lists are fetched, beside that of the issuer that made the offer. */
  readonly credentialIssuerUrls?: readonly string[]
  /** The types above the offered one, outermost first. By default as documented and offered. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * Whom a wallet asks about issuers and verifiers. Each part may be left out: the rules that rest on
 * it are then told as not checked, and the policy decides what that is worth.
 */
export interface WalletTrust {
  /** The DID registry: signatures of credentials, of signed requests and of status lists. */
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  /** The TIR: accreditations from the issuer up to the root. Needs `environment` as well. */
  readonly readAttribute?: ReadAttribute | undefined
  /** By default the wallet fetches the lists itself, once it can verify them. */
  readonly fetchStatusList?: FetchStatusList | undefined
  readonly environment?: TrustEnvironment | undefined
}

export interface LookUpOptions<Value> {
  readonly url: string
  readonly accept: string
  /** Undefined where the answer is not to be understood. */
  readonly read: (response: WalletResponse) => Value | undefined
}

/**
 * Asks a registry or an issuer for something by GET. 404 is an answer; any other status but 200, and
 * whatever can't be read, counts as none. What interrupts the wallet itself is thrown.
 *
 * @assumption A-29
 */
export async function lookUp<Value>(
  http: WalletHttp,
  { url, accept, read }: LookUpOptions<Value>,
): Promise<Lookup<Value>> {
  try {
    const response = await http.request(url, { headers: { accept } })
    const { status } = response
    if (status === 404) return missing('not-found', `${url} is not there (404)`)
    if (status !== 200) return missing('unavailable', `${url} answered ${status}`)
    const value = read(response)
    if (value !== undefined) return { ok: true, value }
    return missing('unavailable', `the answer of ${url} is not understood`)
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return missing('unavailable', error.message)
  }
}

/** A lookup that gave nothing, for the given reason. */
export function missing(kind: FailedLookup['kind'], reason: string): FailedLookup {
  return { ok: false, kind, reason }
}

/**
 * Reads accreditations at a TIR (profile/tir, GET /v1/issuers/{did}/attributes/{attributeId}). The
 * address is built from the two identifiers alone.
 *
 * @assumption A-29
 */
export function createAttributeReader(http: WalletHttp, tirBaseUrl: string): ReadAttribute {
  const base = tirBaseUrl.replace(/\/$/, '')
  return (did, attributeId) =>
    lookUp(http, {
      url: createTermsOfUseUrl(base, { did, attributeId }),
      accept: 'application/json',
      read: ({ json }) => zTirAttribute.safeParse(json).data,
    })
}

/**
 * Fetches status list credentials. Which addresses are asked for at all, and whether the list is
 * the issuer's, the rules of the credential decide.
 *
 * @assumption A-23
 */
export function createStatusListReader(http: WalletHttp): FetchStatusList {
  return (url) =>
    lookUp(http, {
      url,
      accept: 'application/vc+jwt, application/jwt, */*;q=0.1',
      read: ({ text }) => text.trim(),
    })
}

/**
 * Resolves DIDs at the registries that the caller names by base address (profile/did-registry, GET
 * /api/v1/identifiers/{identifier}); a DID whose registry the caller does not know is not found.
 */
export function createDidResolver(
  http: WalletHttp,
  didRegistryBaseUrlFor: (did: string) => string | undefined,
): ResolveDidDocument {
  return async (did, validAt) => {
    const base = didRegistryBaseUrlFor(did)?.replace(/\/$/, '')
    if (base === undefined) return missing('not-found', `no registry is known for ${did}`)
    const query = validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
    return lookUp(http, {
      url: `${base}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
      accept: 'application/did+ld+json',
      read({ json }) {
        const document = zDidDocument.safeParse(json)
        return document.success && document.data.id === did ? document.data : undefined
      },
    })
  }
}

/** The addresses and roots of one environment. */
export interface CreateWalletTrustOptions extends TrustEnvironment {
  /** Base address of the environment's DID registry. */
  readonly didRegistryBaseUrl: string
}

/**
 * Everything that a wallet of one environment asks about issuers and verifiers, from the addresses
 * of its registries. Give it to `acceptOffer` and `present`; DIDs of other environments are not found.
 */
export function createWalletTrust(
  http: WalletHttp,
  { didRegistryBaseUrl, tirBaseUrl, ...environment }: CreateWalletTrustOptions,
): Required<WalletTrust> {
  const prefix = didPrefixes[environment.environment]
  const base = tirBaseUrl.replace(/\/$/, '')
  return {
    resolveDidDocument: createDidResolver(http, (did) =>
      did.startsWith(prefix) ? didRegistryBaseUrl : undefined,
    ),
    readAttribute: createAttributeReader(http, base),
    fetchStatusList: createStatusListReader(http),
    environment: { ...environment, tirBaseUrl: base },
  }
}
