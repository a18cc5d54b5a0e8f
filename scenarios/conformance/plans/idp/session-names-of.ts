import { parseJws } from '#core/crypto/parse-jws.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { sessionCodeOf } from './session-code-of.ts'

const segmentsOf = (address: unknown) =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).pathname.split('/') : []

/**
 * Every name of a login's session that somebody with its link knows: the session code of the page,
 * the state of the request, and the parts of its addresses.
 */
export async function sessionNamesOf(
  { httpAs }: IdpContext,
  { page, link }: BegunLogin,
): Promise<readonly string[]> {
  const parameters = new URLSearchParams(link.slice(link.indexOf('?') + 1))
  const requestUri = parameters.get('request_uri')
  const answer = requestUri === null ? undefined : await httpAs('stranger').request(requestUri)
  const jws = parseJws(answer?.text ?? '')
  const request = jws.ok ? jws.payload : Object.fromEntries(parameters)
  const names = [...segmentsOf(requestUri), ...segmentsOf(request.response_uri), request.state]
  const isName = (name: unknown) => typeof name === 'string' && name.length >= 16
  return [...new Set([sessionCodeOf(page), ...names.filter(isName)])].map(String)
}
