import type { AcceptedCredentialType, ExplanationTrust } from '#core/explanation/explanation.ts'
import type { Lookup } from '#core/verification/rules.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'
import {
  createAttributeReader,
  createDidResolver,
  createStatusListReader,
  lookUp,
} from './wallet-trust.ts'

/** Addresses of an environment's registries; registries without an address are not used. */
export interface RegistryAddresses {
  readonly didRegistryBaseUrl?: string | undefined
  /** `…/trusted-issuers-registry`. */
  readonly tirBaseUrl?: string | undefined
  /** DIDs of the roots of trust. */
  readonly rootDids?: readonly string[] | undefined
  /** Base addresses of the credential issuers, which contain the status lists. */
  readonly credentialIssuerUrls?: readonly string[] | undefined
  /** The accepted credential type. */
  readonly credentialType?: AcceptedCredentialType | undefined
}

/** The sources of an explanation at these addresses. */
export function explanationTrustAt(
  http: WalletHttp,
  addresses: RegistryAddresses,
): ExplanationTrust {
  const { didRegistryBaseUrl, tirBaseUrl, rootDids, credentialIssuerUrls, credentialType } =
    addresses
  const tir = tirBaseUrl?.replace(/\/$/, '')
  return {
    resolveDidDocument:
      didRegistryBaseUrl === undefined
        ? undefined
        : createDidResolver(http, () => didRegistryBaseUrl),
    readAttribute: tir === undefined ? undefined : createAttributeReader(http, tir),
    fetchStatusList: createStatusListReader(http),
    tirBaseUrl: tir,
    rootDids,
    credentialIssuerUrls: credentialIssuerUrls?.map((url) => url.replace(/\/$/, '')),
    credentialType,
  }
}

/** Fetches the content that a link refers to, as text. */
export const fetchReferenced = (http: WalletHttp, url: string): Promise<Lookup<string>> =>
  lookUp(http, {
    url,
    accept: 'application/oauth-authz-req+jwt, application/json',
    read: ({ text }) => text.trim(),
  })
