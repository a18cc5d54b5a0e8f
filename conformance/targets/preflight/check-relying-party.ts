import type { RelyingPartyTarget } from '../../plans/relying-party/z-target.ts'
import { checkKitAddress, type PreflightProblem, probe } from './probe.ts'

/**
 * Problems of an application: its addresses. The provider that it logs users in at does not run yet,
 * so each status except for 404 is right.
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
  const allows = (status: number) => status !== 404
  const reached = await Promise.all(
    Object.entries(addresses).map(([member, url]) => probe(url, { member, allows, signal })),
  )
  return [...checkKitAddress(kit), ...reached.flatMap((each) => each.problem ?? [])]
}
