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

/** The environment in which credentials are validated. */
export interface TrustEnvironment {
  readonly environment: DidEnvironment
  /** The environment's TIR, `…/trusted-issuers-registry`. */
  readonly tirBaseUrl: string
  /** DIDs of the roots of trust. */
  readonly rootDids: readonly string[]
  /** Base addresses of further status lists, in addition to the issuer of the offer. */
  readonly credentialIssuerUrls?: readonly string[]
  /** The types above the offered one, outermost first. Default: as documented and offered. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * The sources of trust in issuers and verifiers. All are optional. Rules that need a missing source
 * are reported as not checked, and the policy decides how to treat them.
 */
export interface WalletTrust {
  /** The DID registry: signatures of credentials, of signed requests and of status lists. */
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  /** The TIR: accreditations from the issuer up to the root. Requires `environment`. */
  readonly readAttribute?: ReadAttribute | undefined
  /** Default: the wallet fetches the lists itself, if it can verify them. */
  readonly fetchStatusList?: FetchStatusList | undefined
  readonly environment?: TrustEnvironment | undefined
}

export interface LookUpOptions<Value> {
  readonly url: string
  readonly accept: string
  /** Undefined if the response is not valid. */
  readonly read: (response: WalletResponse) => Value | undefined
}

/** A verification makes several lookups, one after the other, while a person waits. */
const timeoutMilliseconds = 5000

/**
 * Queries a registry or an issuer with GET. 404 means not found; any other status except 200, and
 * an invalid response, means unavailable. Errors that abort the wallet itself are thrown.
 *
 * @assumption A-29
 */
export async function lookUp<Value>(
  http: WalletHttp,
  { url, accept, read }: LookUpOptions<Value>,
): Promise<Lookup<Value>> {
  try {
    const response = await http.request(url, { headers: { accept }, timeoutMilliseconds })
    const { status } = response
    if (status === 404) return missing('not-found', `${url} was not found (404)`)
    if (status !== 200) return missing('unavailable', `${url} returned ${status}`)
    const value = read(response)
    if (value !== undefined) return { ok: true, value }
    return missing('unavailable', `the response of ${url} is not valid`)
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return missing('unavailable', error.message)
  }
}

/** Creates the result of a failed lookup, with the given reason. */
export function missing(kind: FailedLookup['kind'], reason: string): FailedLookup {
  return { ok: false, kind, reason }
}

/**
 * Creates a function that reads accreditations from a TIR (profile/tir, Read an
 * accreditation). The address is built only from the two identifiers.
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
 * Creates a function that fetches status list credentials. The rules of the credential decide which
 * addresses are fetched and whether the list belongs to the issuer.
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
 * Creates a function that resolves DIDs at the registries whose base addresses the caller returns
 * (profile/did-registry, Read); a DID without a registry is not
 * found.
 */
export function createDidResolver(
  http: WalletHttp,
  didRegistryBaseUrlFor: (did: string) => string | undefined,
): ResolveDidDocument {
  return async (did, validAt) => {
    const base = didRegistryBaseUrlFor(did)?.replace(/\/$/, '')
    if (base === undefined) return missing('not-found', `no registry is configured for ${did}`)
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
 * Creates the trust of a wallet in one environment from the addresses of its registries. Pass it to
 * `acceptOffer` and `present`. DIDs of other environments are not found.
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
