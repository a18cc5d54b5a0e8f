import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '#kit/create-http-client.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { VerifierConfig } from '../config.ts'

/** One service that a verdict rests on, behind its one seam. */
export interface TrustService {
  /** Its address as it is reached from here, without a trailing slash. */
  readonly url: string
  readonly client: HttpClient
}

export interface TrustClients {
  readonly didRegistry: TrustService
  readonly tir: TrustService
  /** The credential issuers, by the base address that is in their credentials. */
  readonly statusLists: readonly (TrustService & { readonly publicUrl: string })[]
}

/** Clients of DID registry, TIR and the credential issuers' status lists. */
export function createTrustClients(config: VerifierConfig, runtime: Runtime): TrustClients {
  const create = (
    publicUrl: string,
    options: Pick<HttpClientOptions, 'dependency' | 'faults' | 'slowFault'>,
  ): TrustService => {
    const url = toInternalUrl(publicUrl, config.internalUrls)
    const timeoutMilliseconds = config.lookupTimeoutMilliseconds
    const own = { caller: 'verifier', baseUrl: url, timeoutMilliseconds }
    return { url, client: createHttpClient(runtime, { ...own, ...options }) }
  }
  return {
    didRegistry: create(config.didRegistryBaseUrl, {
      dependency: 'DID registry',
      faults: ['did-registry-down'],
    }),
    tir: create(config.tirBaseUrl, {
      dependency: 'TIR',
      faults: ['tir-down'],
      slowFault: 'tir-slow',
    }),
    statusLists: config.credentialIssuerUrls.map((publicUrl) => ({
      publicUrl,
      ...create(publicUrl, { dependency: 'status list', faults: ['status-list-down'] }),
    })),
  }
}

/** Replaces a public base address by the one to use from here, where the configuration names one. */
function toInternalUrl(url: string, internalUrls: VerifierConfig['internalUrls']): string {
  const base = Object.keys(internalUrls).find((key) => url === key || url.startsWith(`${key}/`))
  return base === undefined ? url : `${internalUrls[base]}${url.slice(base.length)}`
}
