import type { RelyingPartyTarget } from '../../plans/relying-party/z-target.ts'
import { checkKitAddress, type PreflightProblem, probe } from './probe.ts'

/**
 * Problems of an application: its addresses. The provider that it logs users in at does not run yet,
 * so a server error is no problem.
 */
export async function checkRelyingParty(
  { client, kit, loginUrl, userPage }: RelyingPartyTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const addresses = {
    loginUrl,
    'client.redirectUri': client.redirectUri,
    ...(userPage !== undefined && { userPage }),
  }
  const reached = await Promise.all(
    Object.entries(addresses).map(([member, url]) =>
      probe(url, {
        member,
        // Without a login, only the login page is not an error.
        allows: (status) =>
          status >= 500 || (member === 'loginUrl' ? status < 400 : status !== 404),
        signal,
      }),
    ),
  )
  return [...checkKitAddress(kit), ...reached.flatMap((each) => each.problem ?? [])]
}
