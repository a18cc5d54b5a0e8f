import type { IdpParty, IdpTarget } from '../../plans/idp/z-target.ts'
import {
  checkKitAddress,
  type Members,
  type PreflightProblem,
  probe,
  probeJson,
  problem,
} from './probe.ts'

const discoveryPath = '/.well-known/openid-configuration'

/** Problems of an IDP: its discovery document, its endpoints, and its clients. */
export async function checkIdp(
  target: IdpTarget,
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const { issuer, client, secondClient, internalEndpoints = [] } = target
  if (issuer.includes('/.well-known')) {
    const advice = `Write issuer: ${issuer.slice(0, issuer.indexOf('/.well-known'))}`
    return [problem('path-doubled', 'issuer', 'It contains the path of the metadata.', advice)]
  }
  const found = await probeJson(`${issuer.replace(/\/$/, '')}${discoveryPath}`, {
    member: 'issuer',
    signal,
  })
  if ('problem' in found) return [found.problem]
  const { members } = found
  const metadata = checkMetadata(target, members)
  if (metadata.length > 0) return metadata
  const keys = await probeJson(String(members.jwks_uri), { member: 'issuer', signal })
  if ('problem' in keys) return [keys.problem]
  const clients = [
    ...(await checkClient('client', client, { target, members, signal })),
    ...(secondClient === undefined
      ? []
      : await checkClient('secondClient', secondClient, { target, members, signal })),
  ]
  const reached = await Promise.all(
    internalEndpoints.map((url, index) =>
      probe(url, {
        member: `internalEndpoints[${index}]`,
        allows: (status) => status !== 404,
        signal,
      }),
    ),
  )
  const unreachable = reached.flatMap((each) => (each.problem ? [each.problem] : []))
  return [...checkKitAddress(target.kit), ...checkSecondClient(target), ...clients, ...unreachable]
}

function checkMetadata({ issuer, scope }: IdpTarget, members: Members): PreflightProblem[] {
  const problems: PreflightProblem[] = []
  if (members.issuer !== issuer) {
    const message = `Its metadata names the issuer ${String(members.issuer)}.`
    const advice = `Write issuer: ${String(members.issuer)}`
    problems.push(problem('issuer-mismatch', 'issuer', message, advice))
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    if (typeof members[name] === 'string' && URL.canParse(members[name])) continue
    const message = `Its metadata has no ${name}.`
    const advice = 'Check that the address is that of the IDP, and its configuration.'
    problems.push(problem('metadata-incomplete', 'issuer', message, advice))
  }
  const supported = members.scopes_supported
  if (Array.isArray(supported)) {
    const unknown = scope.split(' ').filter((each) => !supported.includes(each))
    if (unknown.length > 0) {
      const message = `It does not support the scope ${unknown.join(' ')}.`
      const advice = `Its scopes: ${supported.join(' ')}`
      problems.push(problem('scope-unsupported', 'scope', message, advice))
    }
  }
  return problems
}

function checkSecondClient({ client, secondClient }: IdpTarget): PreflightProblem[] {
  if (secondClient?.clientId !== client.clientId) return []
  const message = 'It is the same client as the first one.'
  return [problem('same-client', 'secondClient.clientId', message, 'Register another client.')]
}

interface CheckClientOptions {
  readonly target: IdpTarget
  readonly members: Members
  readonly signal: AbortSignal
}

/** Redeems a code that does not exist: only a wrong client is refused with `invalid_client`. */
async function checkClient(
  member: string,
  party: IdpParty,
  { target, members, signal }: CheckClientOptions,
): Promise<PreflightProblem[]> {
  const { clientId, clientSecret, redirectUri } = party
  const isBasic = target.clientAuthentication === 'basic'
  const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'preflight',
    redirect_uri: redirectUri,
    ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
  })
  const tokens = await probe(String(members.token_endpoint), {
    member: 'issuer',
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }),
    },
    body: String(body),
    allows: (status) => status === 400 || status === 401,
    signal,
  })
  if (tokens.problem) return [tokens.problem]
  const { error } = Object(tokens.json) as { error?: unknown }
  if (tokens.status === 401 || error === 'invalid_client') {
    const message = `The IDP does not accept the secret of ${clientId}.`
    const advice = `Check ${member}.clientId, ${member}.clientSecret and clientAuthentication.`
    return [problem('wrong-secret', `${member}.clientSecret`, message, advice)]
  }
  return checkRedirectUri(member, party, { target, members, signal })
}

/** Begins a login: an IDP shows its own error page only for a client or redirect URI it rejects. */
async function checkRedirectUri(
  member: string,
  { clientId, redirectUri }: IdpParty,
  { target, members, signal }: CheckClientOptions,
): Promise<PreflightProblem[]> {
  const url = new URL(String(members.authorization_endpoint))
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: target.scope,
    state: 'preflight',
    nonce: 'preflight',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const begun = await probe(String(url), {
    member: 'issuer',
    allows: (status) => status < 500,
    signal,
  })
  if (begun.problem) return [begun.problem]
  if (begun.status < 400) return []
  const message = `The IDP rejects a login of ${clientId} with this redirect URI (${begun.status}).`
  const advice = 'Register exactly this redirect URI for the client.'
  return [problem('redirect-uri-rejected', `${member}.redirectUri`, message, advice)]
}
