import { readRequest } from '../verifier/open-request.ts'
import type { BegunLogin, IdpContext } from './context.ts'
import { sessionCodeOf } from './session-code-of.ts'

const segmentsOf = (address: unknown) =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).pathname.split('/') : []

/**
 * Every name of a login's session that somebody with its link knows: the session code of the page,
 * the state of the request, and the parts of its addresses.
 */
export async function sessionNamesOf(
  context: IdpContext,
  { page, link }: BegunLogin,
): Promise<readonly string[]> {
  const { parameters } = await readRequest({ link, session: undefined }, context)
  const requestUri = URL.parse(link)?.searchParams.get('request_uri')
  const { response_uri: responseUri, state } = parameters
  const names = [...segmentsOf(requestUri), ...segmentsOf(responseUri), state]
  const isName = (name: unknown) => typeof name === 'string' && name.length >= 16
  return [...new Set([sessionCodeOf(page), ...names.filter(isName)])].map(String)
}
