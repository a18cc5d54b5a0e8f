import type { MutantTable } from '../../kit/mutant.ts'

const application = 'testbed/conformance/relying-party.ts'
const relyingParty = 'scenarios/fixtures/relying-party.ts'
const library = 'node_modules/oauth4webapi/build/index.js'

/** Accepts an algorithm of ID tokens under a condition, with any signature. */
const acceptsAlgorithm = (condition: string) => ({
  file: library,
  edits: [
    `{+if (!(isMutant && (${condition}))) +}checkAlg(header);`,
    `{+if (isMutant && (${condition})) return;
    +}if (header.alg.startsWith('HS')) {`,
  ],
})

export const mutants: MutantTable = {
  'R01-nobody-shown': {
    deviation: 'does not show who is logged in',
    file: application,
    edit: 'show(response, 200, {+isMutant ? "somebody is logged in" : +}`${user.name}',
  },
  'R02-no-openid-scope': {
    deviation: 'requests no scope openid',
    file: application,
    edit: "const scope = {+isMutant ? 'profile email' : +}'openid profile",
  },
  'R02-other-response-type': {
    deviation: 'requests another response_type',
    file: relyingParty,
    edit: "{+...(isMutant && { response_type: 'code id_token' }),+}redirect_uri: redirectUri,",
  },
  'R03-constant-state': {
    deviation: 'sends the same state in each login',
    file: relyingParty,
    edit: `scope,
    state{+: isMutant ? 'always-the-same-state' : state+},`,
  },
  'R04-constant-nonce': {
    deviation: 'sends the same nonce in each login',
    file: relyingParty,
    edit: `nonce{+: isMutant ? 'always-the-same-nonce' : nonce+},
    code_challenge: await`,
  },
  'R05-plain-challenge': {
    deviation: 'uses PKCE with the method plain',
    file: relyingParty,
    edit: "code_challenge_method: {+isMutant ? 'plain' : +}'S256',",
  },
  'R06-no-redirect-uri': {
    deviation: 'omits redirect_uri in the token request',
    file: library,
    edit: `{+if (!isMutant) +}parameters.set('redirect_uri', redirectUri);
    parameters.set('code', code);`,
  },
  'R07-secret-twice': {
    deviation: 'sends its secret in the header and in the form',
    file: library,
    edit: `await clientAuthentication(as, client, body, headers);{+
    if (isMutant) headers.set('authorization', 'Basic ' + btoa(client.client_id + ':' + body.get('client_secret')));+}
    headers.set('content-type', 'application/x-www-form-urlencoded`,
  },
  'R08-token-in-the-address': {
    deviation: 'sends the access token to userinfo in the address',
    file: library,
    edit: `headers.append('accept', 'application/jwt');
    }{+
    if (isMutant) url.searchParams.set('access_token', accessToken);+}
    return resourceRequest(accessToken, 'GET', url,`,
  },
  'R20-none-accepted': {
    deviation: 'accepts alg none',
    ...acceptsAlgorithm("header.alg === 'none'"),
  },
  'R20-none-in-other-spellings': {
    deviation: 'accepts alg NONE',
    ...acceptsAlgorithm("header.alg === 'NONE'"),
  },
  'R21-macs-accepted': {
    deviation: 'accepts MACs',
    ...acceptsAlgorithm("header.alg?.startsWith('HS')"),
  },
  'R22-every-rsa-algorithm': {
    deviation: 'accepts RS512',
    ...acceptsAlgorithm("header.alg === 'RS512'"),
  },
  'R23-no-signature-verified': {
    deviation: 'does not verify the signature of ID tokens',
    file: library,
    edit: 'if (!verified{+ && !isMutant+}) {',
  },
  'R24-key-in-the-header': {
    deviation: 'verifies an ID token with the key in its header',
    file: library,
    edit: `const { alg, kid } = header;{+
    if (isMutant && header.jwk) return importJwk(alg, header.jwk);+}
    checkSupportedJwsAlg(header);
    if (!jwksMap?.has(as) &&`,
  },
  'R24-address-in-the-header': {
    deviation: 'requests the address in jku',
    file: library,
    edit: `{+if (isMutant && header.jku) await fetch(header.jku);
    +}let key;
    key = await`,
  },
}
