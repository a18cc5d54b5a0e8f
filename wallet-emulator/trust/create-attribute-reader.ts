import { createTermsOfUseUrl, zTirAttribute } from '#core/trust/tir-attribute.ts'
import type { ReadAttribute } from '#core/verification/lookup.ts'
import type { WalletHttp } from '../http/create-wallet-http.ts'
import { lookUp } from './look-up.ts'

/**
 * Reads accreditations at a TIR (Document 2, GET /v1/issuers/{did}/attributes/{attributeId}). The
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
