import type { TrustWorld } from './create-trust-world.ts'

/** Which of the parts of a trust world an address belongs to. */
export type TrustPart = 'did-registry' | 'tir' | 'status-list'

export interface RegistryAnswer {
  readonly part: TrustPart
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const notFound = '{"error":"not_found"}'

/**
 * What the registries of a trust world answer to a GET: the DID registry at `/api/v1`, the TIR below
 * `/trusted-issuers-registry`, status lists anywhere else, in the wire forms of document 2 and
 * without any code of the services.
 */
export function answerAsRegistries(world: TrustWorld, url: URL): RegistryAnswer {
  const path = url.pathname
  const did = /^\/api\/v1\/identifiers\/(.+)$/.exec(path)?.[1]
  if (did !== undefined) {
    const validAt = url.searchParams.get('valid-at')
    const at = Number(validAt ?? Math.floor(Date.now() / 1000))
    const document = world.documentAt(decodeURIComponent(did), at)
    const contentType = 'application/did+ld+json'
    return document
      ? { part: 'did-registry', status: 200, contentType, body: JSON.stringify(document) }
      : { part: 'did-registry', status: 404, contentType: 'application/json', body: notFound }
  }
  const [, issuer, attributeId] =
    /^\/trusted-issuers-registry\/v1\/issuers\/([^/]+)\/attributes\/([^/]+)$/.exec(path) ?? []
  if (issuer !== undefined) {
    const found = world.attributes.get(`${decodeURIComponent(issuer)} ${attributeId}`)
    return {
      part: 'tir',
      status: found ? 200 : 404,
      contentType: 'application/json',
      body: found ? JSON.stringify(found) : notFound,
    }
  }
  const { credentialIssuerUrls } = world.policy
  const base = new URL(credentialIssuerUrls[0] ?? url).origin
  const list = world.statusLists.get(`${base}${path}`)
  return {
    part: 'status-list',
    status: list ? 200 : 404,
    contentType: list ? 'application/vc+jwt' : 'application/json',
    body: list ?? notFound,
  }
}
