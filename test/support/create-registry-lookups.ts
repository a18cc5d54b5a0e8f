import { zDidDocument } from '#core/did/did-document.ts'
import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { Lookup } from '#core/verification/rules.ts'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'

async function ask<Value>(
  url: string,
  accept: string,
  read: (text: string) => Value,
): Promise<Lookup<Value>> {
  const response = await fetch(url, { headers: { accept } })
  const text = await response.text()
  if (response.status === 200) return { ok: true, value: read(text) }
  const kind = response.status === 404 ? 'not-found' : 'unavailable'
  return { ok: false, kind, reason: `status ${response.status}` }
}

/** The look-ups of a verification, answered by the running registries of an environment. */
export function createRegistryLookups({ didRegistryBaseUrl, tirBaseUrl }: Environment): {
  readonly resolveDidDocument: ResolveDidDocument
  readonly readAttribute: ReadAttribute
  readonly fetchStatusList: FetchStatusList
} {
  return {
    resolveDidDocument: (did, validAt) =>
      ask(
        `${didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}${
          validAt === undefined ? '' : `?valid-at=${Math.floor(validAt)}`
        }`,
        'application/did+ld+json',
        (text) => zDidDocument.parse(JSON.parse(text)),
      ),
    readAttribute: (did, attributeId) =>
      ask(createTermsOfUseUrl(tirBaseUrl, { did, attributeId }), 'application/json', (text) =>
        zTirAttribute.parse(JSON.parse(text)),
      ),
    fetchStatusList: (url) => ask(url, 'application/vc+jwt', (text) => text.trim()),
  }
}
