import { zDidDocument } from '#core/did/did-document.ts'
import { parseDidOrg } from '#core/did/did-org.ts'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import type { HttpAnswer, HttpClient } from '#kit/create-http-client.ts'
import type { VerifierConfig } from '../config.ts'
import type { TrustClients } from './create-trust-clients.ts'

/** What a verification asks others for; see `core/verification/lookup.ts`. */
export interface Lookups {
  readonly resolveDidDocument: ResolveDidDocument
  readonly readAttribute: ReadAttribute
  readonly fetchStatusList: FetchStatusList
}

/**
 * The verifier's sight of DID registry, TIR and status lists. No answer within the limits, and any
 * answer that is not understood, counts as none. Nothing is kept: a revocation bites at once.
 *
 * @assumption A-29
 */
export function createLookups(
  { environment }: Pick<VerifierConfig, 'environment'>,
  { didRegistry, tir, statusLists }: TrustClients,
): Lookups {
  return {
    async resolveDidDocument(did, validAt) {
      if (parseDidOrg(did)?.environment !== environment) {
        return missing(`${did} is no DID of the environment ${environment}`)
      }
      const query = validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
      const path = `/api/v1/identifiers/${encodeURIComponent(did)}${query}`
      return ask(didRegistry.client, path, 'application/did+ld+json', ({ json }) => {
        const document = zDidDocument.safeParse(json)
        return document.success && document.data.id === did ? document.data : undefined
      })
    },

    readAttribute: (did, attributeId) =>
      // The address is built from the two identifiers alone, below the environment's own TIR.
      ask(
        tir.client,
        createTermsOfUseUrl(tir.url, { did, attributeId }),
        'application/json',
        ({ json }) => {
          const attribute = zTirAttribute.safeParse(json)
          return attribute.success ? attribute.data : undefined
        },
      ),

    async fetchStatusList(url) {
      const issuer = statusLists.find(({ publicUrl }) => url.startsWith(`${publicUrl}/`))
      if (!issuer) return missing('it is not below the base of a credential issuer')
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
    if (answer.status === 404) return missing('there is none (404)')
    const value = answer.status === 200 ? read(answer) : undefined
    if (value !== undefined) return { ok: true, value }
    return {
      ok: false,
      kind: 'unavailable',
      reason: answer.status === 200 ? 'the answer is not understood' : `status ${answer.status}`,
    }
  } catch (error) {
    if (!isTestbedError(error)) throw error
    return { ok: false, kind: 'unavailable', reason: error.message }
  }
}

function missing(reason: string): Lookup<never> {
  return { ok: false, kind: 'not-found', reason }
}
