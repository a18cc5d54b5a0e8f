import { zDidDocument } from '#core/did/did-document.ts'
import { parseDidOrg } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type { Lookups } from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import type { Health } from '#kit/create-app.ts'
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpClientOptions,
} from '#kit/create-http-client.ts'
import type { Database } from '#kit/database.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { VerifierConfig } from '../config.ts'
import type { VerifierTables } from '../tables.ts'

/** A service that verdicts depend on, with its client. */
interface TrustService {
  /** Its address for requests from here, without a trailing slash. */
  readonly url: string
  readonly client: HttpClient
}

interface TrustClients {
  readonly didRegistry: TrustService
  readonly tir: TrustService
  /** The credential issuers, by the base address in their credentials. */
  readonly statusLists: readonly (TrustService & { readonly publicUrl: string })[]
}

/** Creates clients of the DID registry, the TIR and the credential issuers' status lists. */
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

/** Replaces a public base address with the configured internal one, if any. */
function toInternalUrl(url: string, internalUrls: VerifierConfig['internalUrls']): string {
  const base = Object.keys(internalUrls).find((key) => url === key || url.startsWith(`${key}/`))
  return base === undefined ? url : `${internalUrls[base]}${url.slice(base.length)}`
}

/**
 * Looks up data in DID registry, TIR and status lists. A timeout or an invalid response counts as
 * unavailable. Nothing is cached, so that a revocation takes effect immediately.
 *
 * @assumption A-29
 */
export function createLookups(
  { environment }: Pick<VerifierConfig, 'environment'>,
  { didRegistry, tir, statusLists }: TrustClients,
): Lookups {
  return {
    resolveDidDocument(did, validAt) {
      if (parseDidOrg(did)?.environment !== environment) {
        return Promise.resolve(missing(`${did} is not a DID of the environment ${environment}`))
      }
      const query = validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
      const path = `/api/v1/identifiers/${encodeURIComponent(did)}${query}`
      return ask(didRegistry.client, path, 'application/did+ld+json', ({ json }) => {
        const document = zDidDocument.safeParse(json)
        return document.success && document.data.id === did ? document.data : undefined
      })
    },

    readAttribute: (did, attributeId) =>
      // Builds the address only from the two identifiers, below the environment's own TIR.
      ask(
        tir.client,
        createTermsOfUseUrl(tir.url, { did, attributeId }),
        'application/json',
        ({ json }) => {
          const attribute = zTirAttribute.safeParse(json)
          return attribute.success ? attribute.data : undefined
        },
      ),

    fetchStatusList(url) {
      const issuer = statusLists.find(({ publicUrl }) => url.startsWith(`${publicUrl}/`))
      if (!issuer) {
        return Promise.resolve(missing('it is not below the base address of a credential issuer'))
      }
      const path = url.slice(issuer.publicUrl.length)
      return ask(issuer.client, path, 'application/vc+jwt, application/jwt, */*;q=0.1', (answer) =>
        answer.text.trim(),
      )
    },
  }
}

async function ask<Value>(
  client: HttpClient,
  path: string,
  accept: string,
  read: (answer: HttpAnswer) => Value | undefined,
): Promise<Lookup<Value>> {
  try {
    const answer = await client.getJson(path, { accept })
    if (answer.status === 404) return missing('it does not exist (404)')
    const value = answer.status === 200 ? read(answer) : undefined
    if (value !== undefined) return { ok: true, value }
    return {
      ok: false,
      kind: 'unavailable',
      reason: answer.status === 200 ? 'the response is invalid' : `status ${answer.status}`,
    }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return { ok: false, kind: 'unavailable', reason: error.message }
  }
}

function missing(reason: string): Lookup<never> {
  return { ok: false, kind: 'not-found', reason }
}

const longestWaitMilliseconds = 2000

/**
 * Whether presentations can be verified: 503 while the database or one of the services that
 * verdicts depend on is unhealthy, since every login fails then.
 */
export async function checkHealth(
  database: Database<VerifierTables>,
  { didRegistry, tir, statusLists }: TrustClients,
  { checkCredentialStatus }: Pick<VerifierConfig, 'checkCredentialStatus'>,
): Promise<Health> {
  const [db, registry, trust, lists] = await Promise.all([
    database.check(),
    stateOf([didRegistry]),
    stateOf([tir]),
    stateOf(checkCredentialStatus ? statusLists : []),
  ])
  const dependencies = { 'did-registry': registry, tir: trust, 'status-list': lists }
  const healthy = [db, registry, trust, lists].every((state) => state === 'connected')
  return { healthy, body: { status: healthy ? 'ok' : 'error', db, dependencies } }
}

async function stateOf(services: readonly TrustService[]): Promise<'connected' | 'unavailable'> {
  const results = await Promise.all(services.map(isHealthy))
  return results.includes(false) ? 'unavailable' : 'connected'
}

/** A registry without this endpoint responds 404, which shows that it is up. */
async function isHealthy({ client, url }: TrustService): Promise<boolean> {
  try {
    const { status } = await client.request(`${url}/health`, {
      timeoutMilliseconds: longestWaitMilliseconds,
    })
    return status < 500
  } catch {
    return false
  }
}
