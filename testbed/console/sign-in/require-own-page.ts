import { TestbedError } from '#core/errors/testbed-error.ts'
import type { PageContext } from '../frame/define-page.ts'
import { startTexts } from './texts.ts'

/**
 * Rejects the start of a login by a page of another origin: a link, an image or a frame. The
 * cookie's SameSite attribute does not, because pages of other ports are of the same site. For an
 * address that a person typed or a program opened, browsers send `none`.
 *
 * @see Fetch Metadata Request Headers, `Sec-Fetch-Site`
 * @throws TestbedError `foreign_origin` (403)
 */
export function requireOwnPage({
  request,
  language,
}: Pick<PageContext<unknown, unknown>, 'request' | 'language'>): void {
  const site = request.get('sec-fetch-site')
  if (site !== 'cross-site' && site !== 'same-site') return
  const message = startTexts[language].foreignPage
  throw new TestbedError({ code: 'foreign_origin', status: 403, message })
}
