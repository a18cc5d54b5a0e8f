import type { RelyingPartyTarget } from '../../plans/relying-party/z-target.ts'
import { reachableHost } from '../../world/start-kit-server.ts'
import { checkKitAddress, type PreflightProblem, probe, problem } from './probe.ts'

/**
 * Problems of an application: its addresses, and the authorization request if the login page leads to
 * one. The provider that it logs users in at does not run yet, so a server error is no problem.
 */
export async function checkRelyingParty(
  target: RelyingPartyTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const { client, kit, loginUrl, userPage } = target
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
  const [login] = reached
  return [
    ...checkKitAddress(kit),
    ...reached.flatMap((each) => each.problem ?? []),
    ...(login && !login.problem ? checkRequest(target, login.location) : []),
  ]
}

/** Compares an authorization request with the target. */
function checkRequest(
  { client, kit, loginUrl }: RelyingPartyTarget,
  location: string | null,
): readonly PreflightProblem[] {
  const request = location === null ? null : URL.parse(location, loginUrl)
  // A login may begin with redirects within the application.
  if (!request?.searchParams.has('client_id')) return []
  const parameters = {
    client_id: ['client.clientId', client.clientId],
    redirect_uri: ['client.redirectUri', client.redirectUri],
  } as const
  const wrong = Object.entries(parameters).flatMap(([name, [member, expected]]) => {
    const actual = request.searchParams.get(name)
    if (actual === expected) return []
    const message = `The authorization request has another ${name}: ${actual}`
    const advice = `Use the same value in the application and in ${member}.`
    return [problem('other-client', member, message, advice)]
  })
  const { bind = '127.0.0.1', port, publicUrl } = kit ?? {}
  const kitUrl = publicUrl ?? (port && `http://${reachableHost(bind)}:${port}`)
  if (!kitUrl || request.href.startsWith(`${kitUrl}/op/`)) return wrong
  const message = `The login page leads to another provider: ${request.origin}${request.pathname}`
  const advice = `Configure the application with the issuer ${kitUrl}/op.`
  return [...wrong, problem('other-provider', 'loginUrl', message, advice)]
}
